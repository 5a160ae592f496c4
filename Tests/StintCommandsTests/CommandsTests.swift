import StintTools
import StintUnits
import Testing

@testable import StintCommands

@Suite("Commands")
struct CommandsTests {
  static let table = CommandTable(definitions: [
    CommandDefinition(
      name: "check", operands: "FILE...", operandCount: 1...9, meaning: "read policies",
      options: [.flag("json", "as JSON")],
      run: { arguments, console in
        console.result(arguments.operands.joined(separator: "+"))
        return arguments.has("json") ? .findings : .fine
      }),
    CommandDefinition(
      name: "bench sim", operands: "", operandCount: 0...0, meaning: "measure", options: [],
      run: { _, _ in throw Problem(.content, place: "a.csv:3", cause: "the line ends", remedy: "mend it")
      }),
    CommandDefinition(
      name: "sim", operands: "", operandCount: 0...0, meaning: "simulate", options: [],
      run: { _, _ in throw Problem(.unknownName, place: "--scenario", cause: "none", remedy: "look") }),
  ])

  private func run(_ words: String...) -> (code: ExitCode, results: String, log: String) {
    let recorded = RecordedConsole()
    let code = Commands.run(arguments: words, table: Self.table, console: recorded.console)
    return (code, recorded.results, recorded.log)
  }

  @Test("results are written to one stream, and log messages to another stream")
  func sides() {
    #expect(run("check", "a", "b") == (.fine, "a+b\n", ""))
    #expect(run("check", "a", "--json") == (.findings, "a\n", ""))
    #expect(
      run("check") == (
        .misuse, "", "stint: stint check needs FILE...\n  write stint check FILE... [options]\n"
      ))
  }

  @Test("the error for an unknown command proposes the nearest command")
  func unknownCommand() {
    #expect(run("chekc").log == "stint: there is no command “chekc”\n  did you mean stint check?\n")
    #expect(run("frobnicate").log.contains("stint help lists the commands"))
    #expect(run("chekc").code == .misuse)
    #expect(run("help", "nothing").code == .misuse)
    #expect(run("bench").log == "stint: “bench” is an incomplete command\n  write one of: stint bench sim\n")
    #expect(run("bench", "nothing").code == .misuse)
  }

  @Test("a missing input is misuse; a file with invalid contents is a finding")
  func errors() {
    #expect(run("sim") == (.misuse, "", "stint: --scenario: none\n  look\n"))
    #expect(run("bench", "sim") == (.findings, "", "stint: a.csv:3: the line ends\n  mend it\n"))
  }

  @Test("an empty command line logs the help and is misuse")
  func nothing() {
    let answer = run()
    #expect(answer.code == .misuse)
    #expect(answer.results.isEmpty)
    #expect(answer.log.contains("bench sim"))
  }

  @Test("help pages and the version are printed as results, not as log messages")
  func help() {
    #expect(run("help").results.contains("  check      read policies\n"))
    #expect(run("help", "check").results.hasPrefix("stint check FILE... [options]\n\nread policies.\n"))
    #expect(run("check", "--help").results == run("help", "check").results)
    #expect(run("help", "bench", "sim").results.hasPrefix("stint bench sim\n"))
    #expect(run("--version").results == "stint 0.1.0, policy language 1\n")
  }

  @Test("help lists the commands of stint in three groups within 80 columns")
  func overview() {
    let lines = CommandTable.standard.overview(.plain).split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 80 })
    #expect(CommandTable.standard.groups.map(\.title) == ["Write policies", "Run a bus", "Write plugins"])
    #expect(CommandTable.standard.definitions.allSatisfy { !$0.name.hasPrefix("bench") })
  }

  @Test("no line of a command's help page is wider than 80 columns, and the page contains the details")
  func pages() {
    for definition in CommandTable.standard.definitions {
      let page = CommandTable.standard.page(of: definition, .plain)
      for line in page.split(separator: "\n") { #expect(line.count <= 80, "\(definition.name): \(line)") }
      let shown = page.split(whereSeparator: \.isWhitespace)
      let written = definition.detail.split(whereSeparator: \.isWhitespace)
      #expect(written.isEmpty || shown.contains(written), "\(definition.name)")
    }
  }

  @Test("every command of stint has a description without a full stop at its end, and no duplicate option")
  func standardTable() {
    for definition in CommandTable.standard.definitions {
      #expect(!definition.meaning.isEmpty && definition.meaning.last != ".", "\(definition.name)")
      #expect(Set(definition.options.map(\.name)).count == definition.options.count, "\(definition.name)")
    }
  }
}
