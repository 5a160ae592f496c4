import StintRuntime
import StintTestSupport
import Testing

/// The first example of the embedding guide. `FirstExample.swift` contains it, in a function.
@Suite struct FirstExampleTests {
  @Test(
    "X08: the first example of the embedding guide runs on the clock of the system", .timeLimit(.minutes(1)))
  func runs() async throws { try await firstExample() }

  @Test("the embedding guide prints exactly the example that runs")
  func shown() throws {
    func plain(_ path: String) throws -> String {
      String(decoding: try FileText.read(Repository.path(path)), as: UTF8.self).filter { !$0.isWhitespace }
    }
    let guide = try plain("Sources/Stint/Stint.docc/Embedding.md")
    let printed = try #require(
      guide.split(separator: "```swift").dropFirst().first?.split(separator: "```").first)
    let run = try plain("Tests/StintRuntimeTests/Embedding/FirstExample.swift")
    let parts = run.split(separator: "funcfirstExample()asyncthrows{")
    #expect(parts.count == 2 && run.hasSuffix("}"))
    #expect(printed == (parts[0] + parts[1].dropLast())[...])
  }
}
