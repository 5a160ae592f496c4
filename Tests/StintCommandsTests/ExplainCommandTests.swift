import StintLanguage
import Testing

@testable import StintCommands

@Suite("explain")
struct ExplainCommandTests {
  private func run(_ words: String...) -> (code: ExitCode, results: String, log: String) {
    let recorded = RecordedConsole()
    let code = Commands.run(
      arguments: ["explain"] + words, table: CommandTable(definitions: [ExplainCommand.definition]),
      console: recorded.console)
    return (code, recorded.results, recorded.log)
  }

  @Test("the page of a diagnostic code has its summary, a wrong example, the reason, and a corrected example")
  func page() {
    let answer = run("P0302")
    #expect(answer.code == .fine)
    #expect(answer.results.hasPrefix("P0302  a quantity of the wrong dimension\n\n"))
    #expect(answer.results.contains("\n\nwrong\n\n    policy \"example\" version 1\n\n    rule still"))
    #expect(answer.results.contains("still for 5 m {"))
    #expect(answer.results.contains("still for 5 min {"))
    #expect(answer.results.split(separator: "\n").allSatisfy { $0.count <= 100 })
    #expect(run("p0302") == answer)
    #expect(run("P0302", "--json").results.hasPrefix("{\"stint_explain\":1,\"code\":\"P0302\",\"meaning\":"))
  }

  @Test("the page of a word of the policy language has its meaning, its form and an example")
  func word() {
    let answer = run("respite")
    #expect(answer.code == .fine)
    #expect(answer.results.hasPrefix("respite  function\n\nHow long"))
    #expect(
      answer.results.contains("\n\n    respite(DEVICE, LENGTH)\n\nIt is a time.\n\nexample\n\n"))
    #expect(
      run("respite", "--json").results.hasPrefix("{\"stint_word\":1,\"word\":\"respite\",\"meanings\":[{"))
    #expect(run("pause").results.contains("pause  verb"))
    #expect(run("pause").results.contains("pause  setting"))
  }

  @Test("the page of a class of devices has its parts, its essential checks and its providers")
  func deviceClass() {
    let answer = run("motion.gyro")
    #expect(answer.code == .fine)
    #expect(answer.results.hasPrefix("motion.gyro  class of devices\n\nSuch a device is a gyroscope."))
    #expect(answer.results.contains("\n\nchannels\n    x: "))
    #expect(answer.results.contains("\n\nessential checks of stint plugin check\n    rate\n"))
    #expect(answer.results.contains("\n\nprovided by\n    the plugin iio\n"))
    #expect(!answer.results.contains("figures"))
    #expect(run("location.gnss").results.contains("\n    hot_fix: time\n    memory: time, optional\n"))
    #expect(
      run("motion.gyro", "--json").results.hasPrefix(
        "{\"stint_class\":1,\"class\":\"motion.gyro\",\"title\":\"a gyroscope\",\"kind\":\"sensor\""))
    #expect(run("motion.gyr").log.contains("motion.gyro"))
  }

  @Test("without an operand, explain lists all diagnostic codes in order")
  func list() {
    let answer = run()
    #expect(answer.code == .fine)
    let lines = answer.results.split(separator: "\n")
    #expect(lines.first == "P0001  a character that policies do not use")
    #expect(lines == lines.sorted())
    #expect(run("--json").results.hasPrefix("{\"stint_codes\":1,\"codes\":[{\"code\":\"P0001\""))
  }

  @Test("no line of prose on any page of a code or a word is wider than 80 columns")
  func width() {
    let names =
      DiagnosticCode.all.map(\.name) + LanguageDefinition.words.map(\.name)
    for name in names {
      let answer = run(name)
      for line in answer.results.split(separator: "\n") where !line.hasPrefix("    ") {
        #expect(line.count <= 80, "\(name): \(line)")
      }
    }
    #expect(run().results.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test("an unknown code is a usage error, and the error proposes the nearest code")
  func unknown() {
    #expect(
      run("P0303x") == (
        .misuse, "",
        "stint: P0303x: this is no diagnostic code, no keyword and no class of devices\n"
          + "  did you mean P0303?\n"
      ))
    #expect(run("respit").log.contains("did you mean respite?"))
    #expect(run("nonsense").log.contains("stint explain lists all codes"))
  }
}
