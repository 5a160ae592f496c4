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

  @Test("results are written to one stream, and log messages are written to another stream")
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

  @Test("a missing input is a usage error; a file with invalid contents is a finding")
  func errors() {
    #expect(run("sim") == (.misuse, "", "stint: --scenario: none\n  look\n"))
    #expect(run("bench", "sim") == (.findings, "", "stint: a.csv:3: the line ends\n  mend it\n"))
  }

  @Test("an empty command line logs the help and is a usage error")
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

  @Test("every command of stint has an example that the parser accepts and that fits the help page")
  func examples() throws {
    for definition in CommandTable.standard.definitions {
      let words = definition.example.split(separator: " ").map(String.init)
      #expect(words.first == "stint", "\(definition.name)")
      let found = CommandTable.standard.definition(for: Array(words.dropFirst()))
      #expect(found?.definition.name == definition.name)
      guard let found else { continue }
      let request = try ArgumentParser.parse(Array(words.dropFirst(1 + found.length)), as: definition)
      guard case .run = request else {
        Issue.record("\(definition.example) is no complete command line")
        continue
      }
      let page = CommandTable.standard.page(of: definition, .plain)
      #expect(page.contains("\n\nExample\n  \(definition.example)\n") || definition.options.isEmpty)
    }
  }

  @Test("a usage line contains the required options, and help states ranges and defaults")
  func usage() {
    let pages = Dictionary(
      uniqueKeysWithValues: CommandTable.standard.definitions.map {
        ($0.name, CommandTable.standard.page(of: $0, .plain))
      })
    #expect(pages["compile"]?.hasPrefix("stint compile FILE... -o IMAGE [options]\n") == true)
    #expect(
      pages["run"]?.hasPrefix("stint run --policies DIR (--site FILE | --simulate S) [options]\n") == true)
    #expect(pages["sim"]?.contains("(1 to 64; default: 1)") == true)
    #expect(pages["request"]?.contains("(default: 60 s)") == true)
    for name in ["run", "status", "why", "why-not", "request", "permit", "push", "rollback"] {
      #expect(pages[name]?.contains("STINT_CONTROL") == true, "\(name)")
    }
  }

  @Test(
    "`help` with the first word of several commands lists these commands; an unknown second word is named")
  func group() {
    for words in [["plugin", "--help"], ["help", "plugin"]] {
      let recorded = RecordedConsole()
      let code = Commands.run(arguments: words, table: .standard, console: recorded.console)
      #expect(code == .fine && recorded.results.contains("  plugin list   list plugins"))
    }
    let recorded = RecordedConsole()
    let code = Commands.run(arguments: ["plugin", "lst"], table: .standard, console: recorded.console)
    #expect(code == .misuse)
    #expect(recorded.log == "stint: there is no command “plugin lst”\n  did you mean stint plugin list?\n")
  }

  @Test("a new plugin with an invalid name, kind or folder is a usage error")
  func newPlugin() {
    for words in [
      ["Bad Name", "--language", "c"], ["probe", "--language", "c", "--kind", "modem"],
      ["probe", "--language", "python", "--into", "/tmp"],
    ] {
      let recorded = RecordedConsole()
      let code = Commands.run(
        arguments: ["plugin", "new"] + words, table: .standard, console: recorded.console)
      #expect(code == .misuse, "\(recorded.log)")
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
