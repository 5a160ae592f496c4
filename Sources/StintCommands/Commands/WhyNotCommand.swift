import StintRuntime
import StintTools

/// `stint why-not`.
enum WhyNotCommand {
  static let form = CommandForm(
    name: "why-not", operands: "THING", operandCount: 1...1,
    meaning:
      "say what keeps a device off or a rule out of force, and when it could be otherwise at the earliest",
    detail: """
      THING is a device, as in location.gnss, or a rule, as in hiking/still. What is named is the least that would do:
      without all of it the thing does not happen. The journal is replayed up to the time asked about; with --control
      a running daemon is asked instead, about now.
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
        return try ControlQuery.run(.whyNot(thing: arguments.operands[0]), arguments, console)
      }
      throw UsageError(
        "why-not needs --journal or --control",
        hint: "write one with: stint sim FILE --scenario day-hike --journal J")
    }
    let report = try WhyQuery.whyNot(arguments.operands[0], at: arguments.text("at"), journal: journal)
    if arguments.has("json") {
      console.result(report.jsonText)
    } else {
      console.raw(report.text)
    }
    return .fine
  }
}
