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

  @Test("`diff none none` reports that no decision changes; a missing file is a usage error")
  func plain() {
    #expect(run("none", "none") == (.fine, "no decision changes\n", ""))
    #expect(run("none", "/nowhere/at-all.stint").code == .misuse)
    #expect(
      run("--json", "none", "none").results
        == #"{"stint_diff":1,"before":[],"after":[],"complete":true,"definitions":[],"regions":[],"readings":{"before":[],"after":[]}}"#
        + "\n")
  }

  @Test("`diff` prints the readings that are needed by only one of the policies, with their energy")
  func readings() throws {
    let folder = TestFolder()
    func file(_ name: String, _ limit: String) throws -> String {
      let text = """
        policy "p" version 1
        rule r while battery.level < \(limit) and motion.activity is still for 1 min { stop radio.wifi }
        """
      try folder.write(name, text)
      return folder.at(name)
    }
    let (before, after) = (try file("a.stint", "10 %"), try file("b.stint", "20 %"))
    let report = run(before, after)
    let lines = report.results.split(separator: "\n").filter { $0.contains("motion.accelerometer for p/r") }
    try #require(lines.count == 2, "\(report.results)")
    for (line, sign, limit) in [(lines[0], "-", "10 %"), (lines[1], "+", "20 %")] {
      #expect(line.contains("\(sign) motion.accelerometer") && line.contains("J per day"), "\(line)")
      #expect(line.contains("while battery.level < \(limit)"), "\(line)")
    }
    #expect(!run(before, before).results.contains("readings"))
  }
}
