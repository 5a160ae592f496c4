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
    arguments: zip(["simulatedExample", "firstExample"], ["SimulatedExample", "FirstExample"]).enumerated()
      .map { ($0, $1.0, $1.1) })
  func shown(place: Int, function: String, file: String) throws {
    func plain(_ path: String) throws -> String {
      String(decoding: try FileText.read(Repository.path(path)), as: UTF8.self).filter { !$0.isWhitespace }
    }
    let guide = try plain("Sources/Stint/Stint.docc/Embedding.md")
    let block = guide.split(separator: "```swift").dropFirst(place + 1).first
    // The guide begins with text, so block 0 is the text before the first example.
    let printed = try #require(block?.split(separator: "```").first)
    let run = try plain("Tests/StintRuntimeTests/Embedding/\(file).swift")
    let parts = run.split(separator: "func\(function)()asyncthrows{")
    #expect(parts.count == 2 && run.hasSuffix("}"))
    #expect(printed == (parts[0] + parts[1].dropLast())[...])
  }
}
