import StintRuntime
import StintTestSupport
import Testing

/// The first examples of the embedding guide: `SimulatedExample.swift` and `FirstExample.swift` contain them,
/// each in a function.
@Suite struct FirstExampleTests {
  @Test(
    "X08: the embedding guide's example with a device of the app runs on the system clock",
    .timeLimit(.minutes(1)))
  func runs() async throws { try await firstExample() }

  @Test("X08: the example with a simulated phone in the embedding guide runs", .timeLimit(.minutes(1)))
  func runsSimulated() async throws { try await simulatedExample() }

  @Test(
    "the embedding guide prints exactly the examples that run",
    arguments: [("simulatedExample", "SimulatedExample"), ("firstExample", "FirstExample")])
  func shown(function: String, file: String) throws {
    func text(_ path: String) throws -> String {
      String(decoding: try FileText.read(Repository.path(path)), as: UTF8.self)
    }
    func plain(_ text: some StringProtocol) -> String { String(text.filter { !$0.isWhitespace }) }
    let guide = try text("Sources/Stint/Stint.docc/Embedding.md")
    let blocks = guide.split(separator: "\n```swift\n").dropFirst().map { part in
      plain(part.split(separator: "\n```\n").first ?? "")
    }
    let run = plain(try text("Tests/StintRuntimeTests/Embedding/\(file).swift"))
    let parts = run.split(separator: "func\(function)()asyncthrows{")
    #expect(parts.count == 2 && run.hasSuffix("}"))
    #expect(blocks.contains(String(parts[0] + parts[1].dropLast())))
  }
}
