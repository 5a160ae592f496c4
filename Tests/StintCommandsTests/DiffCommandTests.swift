import StintRuntime
import StintTestSupport
import Testing

@testable import StintCommands

@Suite("diff")
struct DiffCommandTests {
  private func run(_ words: String...) -> (code: ExitCode, results: String, log: String) {
    let recorded = RecordedConsole()
    let table = CommandTable(definitions: [DiffCommand.definition()])
    let code = Commands.run(arguments: ["diff"] + words, table: table, console: recorded.console)
    return (code, recorded.results, recorded.log)
  }

  @Test("diff none none reports that no decision changes; a missing file is misuse")
  func plain() {
    #expect(run("none", "none") == (.fine, "no decision changes\n", ""))
    #expect(run("none", "/nowhere/at-all.stint").code == .misuse)
    #expect(
      run("--json", "none", "none").results
        == #"{"stint_diff":1,"before":[],"after":[],"complete":true,"definitions":[],"regions":[],"readings":{"before":[],"after":[]}}"#
        + "\n")
  }
}
