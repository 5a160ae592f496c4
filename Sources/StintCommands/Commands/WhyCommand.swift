import StintModel
import StintRuntime
import StintTools

/// `stint why`.
enum WhyCommand {
  static let form = CommandForm(
    name: "why", operands: "DEVICE", operandCount: 1...1,
    meaning:
      "say why a device was on or off: client, demand, rules, grant, setting, and what would change it",
    detail: """
      The journal is replayed up to the time asked about; every decision on the way is taken again and must be the
      same.
      """,
    options: [
      .value("journal", "J", "a journal that sim or run wrote"),
      .value("at", "TIME", "local time of day, as in 14:05; the journal's end when left out"),
      .flag("json", "the report as one JSON object"),
    ],
    run: { try run($0, $1) })

  private static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    guard let journal = arguments.text("journal") else {
      throw UsageError(
        "why needs --journal", hint: "write one with: stint sim FILE --scenario day-hike --journal J")
    }
    let report = try WhyQuery.report(
      DeviceID(arguments.operands[0]), at: arguments.text("at"), journal: journal)
    if arguments.has("json") {
      console.result(report.jsonText)
    } else {
      console.raw(report.text)
    }
    return .fine
  }
}
