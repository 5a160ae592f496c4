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
      same. With --control a running daemon is asked instead, about now.
      """,
    options: [
      .value("journal", "J", "a journal that sim or run wrote"),
      .value("control", "SOCKET", "ask the daemon that listens here"),
      .value("at", "TIME", "local time of day, as in 14:05; the journal's end when left out"),
      .flag("json", "the report as one JSON object"),
    ],
    run: { try run($0, $1) })

  private static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    guard let journal = arguments.text("journal") else {
      if arguments.text("control") != nil {
        return try ControlQuery.run(.why(device: arguments.operands[0]), arguments, console)
      }
      throw UsageError(
        "why needs --journal or --control",
        hint: "write one with: stint sim FILE --scenario day-hike --journal J")
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
