import StintModel
import StintPluginKit
import StintTools
import StintUnits

enum TestCommand {
  private static let atLeastOption = OptionDefinition.integer(
    "at-least", "PERCENT", in: 0...100, example: 90,
    "with --mutate: fail when the tests of a file detect less than this percentage of its changes"
  ).needing("mutate", "add --mutate, or omit --at-least")

  static func definition(_ linked: [LinkedPlugin] = []) -> CommandDefinition {
    CommandDefinition(
      name: "test", operands: "FILE...", operandCount: 1...Int.max,
      meaning: "run the test blocks of policies in virtual time",
      example: "stint test policies/hiking.stint --coverage",
      detail: """
        Each test runs on the simulated phone, or on simulated devices of a site, and loads only its own file;
        --together loads all files for each test, as a daemon does with a folder. While a test sets a fact, the
        devices do not publish that fact. With --scenario, the devices measure the values of the scenario and
        have its faults. Times in a test and in these values count from the midnight at which the test begins,
        also on days when clocks change. A test that cannot pass without a missing device is skipped and
        listed. A folder means its .stint files, - means standard input.
        """,
      operandUse: .policies,
      options: [
        .value(
          "time-zone", "ZONE",
          "the time zone instead of UTC: host, UTC+1, Europe/Berlin, CET-1CEST,M3.5.0,M10.5.0/3"),
        .value(
          "date", "DAY", "begin at midnight of this day, such as 2026-03-29 (default: Monday 2026-01-05)"),
        .value("scenario", "S", "take the values and faults of devices from this scenario or scenario file")
          .file(.scenario),
        .flag("together", "load all files for each test, instead of only its own file"),
        .flag("coverage", "report the rules and comparisons that the tests do not cover"),
        .flag("mutate", "change the policies in small ways, and report the changes that no test detects"),
        atLeastOption,
        .value("junit", "FILE", "also write the results as JUnit XML").file(.output),
        .flag("json", "print the result as one JSON object"),
      ] + DeviceOptions.definitions,
      run: { try run($0, $1, linked) })
  }

  private static func run(
    _ arguments: Arguments, _ console: Console, _ linked: [LinkedPlugin]
  ) throws -> ExitCode {
    let least: Int? = try arguments.integer(atLeastOption)
    let vocabulary = try DeviceOptions.vocabulary(arguments, linked)
    let tests = try PolicyTests.files(
      try PolicyFiles.read(arguments.operands), together: arguments.has("together"), vocabulary: vocabulary,
      calendar: try TestCalendar(timeZone: arguments.text("time-zone"), date: arguments.text("date")),
      circumstances: try arguments.text("scenario").map { name throws(Problem) in
        try TestCircumstances(scenario: name)
      } ?? TestCircumstances())
    let line = console.progress("testing")
    let report = try tests.run(
      coverage: arguments.has("coverage"), mutate: arguments.has("mutate"),
      progress: { line.update($0, $1) })
    line.end()
    console.result(arguments.has("json") ? report.jsonText : report.text(console.resultPaint))
    let isShareReached = least.map { report.detectedPercent >= $0 } ?? true
    let code = report.failures == 0 && isShareReached ? ExitCode.fine : .findings
    guard let path = arguments.text("junit") else { return code }
    return console.save(otherwise: code) { () throws(Problem) in
      try PolicyFiles.write(report.junitText, to: path)
    }
  }
}
