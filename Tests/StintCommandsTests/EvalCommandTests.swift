import StintRuntime
import StintTools
import Testing

@testable import StintCommands

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("eval and replay")
struct EvalCommandTests {
  private static let policy =
    "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/policies/hiking.stint"

  private func run(_ words: String...) -> (code: ExitCode, results: String, log: String) {
    let recorded = RecordedConsole()
    let code = Commands.run(arguments: words, table: .standard, console: recorded.console)
    return (code, recorded.results, recorded.log)
  }

  private func file(_ text: String) throws -> String {
    let path = "/tmp/stint-eval-\(getpid())-\(text.utf8.count).jsonl"
    try FileText.write(Array(text.utf8), to: path)
    return path
  }

  @Test("eval answers each line, reports invalid lines by their number, and then exits with 1")
  func lines() throws {
    let facts = try file(
      """
      {"at": 0, "facts": {"battery.level": 0.8}}

      nonsense
      {"at": 10, "facts": {"battery.level": "14 %"}}
      {"at": 5, "facts": {}}
      """)
    defer { unlink(facts) }
    let answer = run("eval", Self.policy, "--facts", facts)
    #expect(answer.code == .findings)
    let lines = answer.results.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first?.hasSuffix(#""rules":["steps"]}"#) == true)
    #expect(lines.last?.hasSuffix(#""rules":["steps","saver"]}"#) == true)
    #expect(answer.log.contains("\(facts):3: "))
    #expect(answer.log.contains("\(facts):5: “at” is 5 s before the previous line"))
  }

  @Test("eval exits with 0 for valid lines and for an empty input")
  func fine() throws {
    for text in ["{\"at\": 0, \"facts\": {}}\n", ""] {
      let facts = try file(text)
      defer { unlink(facts) }
      let answer = run("eval", Self.policy, "--facts", facts, "--incremental")
      #expect(answer.code == .fine, "\(answer.log)")
      #expect(answer.log.isEmpty)
    }
  }

  @Test(
    "an invalid command line, or a file that cannot be read, exits with 2 and prints a hint",
    arguments: [
      ["eval", "x.stint"], ["eval", "/no/such.stint", "--facts", "/dev/null"],
      ["eval", "-", "--facts", "-"], ["replay"], ["replay", "/no/such.journal"],
      ["replay", "/no/such.journal", "--policy", "/no/such.stint"],
      ["sim", "x.stint", "--journal-limit", "64MB"],
      ["sim", "x.stint", "--journal", "j", "--journal-limit", "3 m"],
      ["sim", "x.stint", "--journal", "j", "--journal-limit", "10 kB"],
    ])
  func misuse(words: [String]) {
    let recorded = RecordedConsole()
    #expect(Commands.run(arguments: words, table: .standard, console: recorded.console) == .misuse)
    #expect(recorded.log.split(separator: "\n").count >= 2, "\(recorded.log)")
  }

  @Test("eval stops and exits with 0 when its output has no reader")
  func unheard() throws {
    let facts = try file(String(repeating: "{\"at\": 0, \"facts\": {}}\n", count: 9))
    defer { unlink(facts) }
    let console = Console(writeResult: { _ in }, writeLog: { _ in }, isReaderOpen: { false })
    let code = Commands.run(
      arguments: ["eval", Self.policy, "--facts", facts], table: .standard, console: console)
    #expect(code == .fine)
  }
}
