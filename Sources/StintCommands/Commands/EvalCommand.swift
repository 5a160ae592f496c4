import StintTools
import StintUnits

/// `stint eval`.
enum EvalCommand {
  static let form = CommandForm(
    name: "eval", operands: "FILE...", operandCount: 1...Int.max,
    meaning: "print the decisions for given facts, a JSON line each",
    detail: """
      A line of facts is {"at": SECONDS, "facts": {"battery.level": 0.19, "motion.activity": "still"}}: seconds since
      1970, values in base units or as texts with a unit, null for unknown. A line of decisions is {"at": ..., "settings":
      {"gps": {...}}, "rules": ["saver"]}: what one client is granted that asks for every sensor and radio the policies
      use, and the rules in force. State and timers go on from line to line; a fact that a line does not name is unknown
      there, or with --incremental as it was. A line that cannot be used is named by its number and left out, and the
      exit code is 1.
      """,
    options: [
      .value("facts", "JSONL", "the lines of facts; - for standard input"),
      .flag("incremental", "a line names only the facts that changed"),
      .value("manifests", "DIR", "a folder of manifests instead of the reference phone's"),
      .value(
        "time-zone", "ZONE",
        "local time: host, UTC+1, Europe/Berlin, CET-1CEST,M3.5.0,M10.5.0/3; UTC when left out"),
    ],
    run: { try run($0, $1) })

  private static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    guard let path = arguments.text("facts") else {
      throw UsageError(
        "eval needs --facts", hint: "name a file with a JSON object on each line, or - for standard input")
    }
    guard path != "-" || !arguments.operands.contains("-") else {
      throw UsageError("policy and facts cannot both be standard input", hint: "write one of them to a file")
    }
    var evaluation = try PolicyEvaluation(
      policies: arguments.operands, manifests: arguments.text("manifests"),
      timeZone: arguments.text("time-zone"),
      isIncremental: arguments.has("incremental"))
    return try stream(FactLines(path: path), through: &evaluation, to: console)
  }

  /// Answers line after line; what is answered leaves before it waits for more.
  private static func stream(
    _ lines: FactLines, through evaluation: inout PolicyEvaluation, to console: Console
  ) throws(Problem) -> ExitCode {
    var code = ExitCode.fine
    var output = ResultBuffer(console)
    defer { output.flush() }
    while console.isOutputOpen, try advance(lines, &output) {
      if lines.isBlank { continue }
      do throws(Problem) {
        output.append(try evaluation.decide(lines.line))
      } catch {
        console.complain(error.at("\(lines.place)"))
        code = .findings
      }
    }
    return code
  }

  private static func advance(_ lines: FactLines, _ output: inout ResultBuffer) throws(Problem) -> Bool {
    if !lines.hasWholeLine { output.flush() }
    return try lines.advance()
  }
}
