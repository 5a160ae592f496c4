import StintPluginKit
import StintTools
import StintUnits

enum EvalCommand {
  static func definition(_ linked: [LinkedPlugin] = []) -> CommandDefinition {
    CommandDefinition(
      name: "eval", operands: "FILE...", operandCount: 1...Int.max,
      meaning: "print the decisions for given facts, one JSON line each",
      example: "stint eval policies/hiking.stint --facts facts.jsonl",
      detail: """
        A line of facts is {"at": SECONDS, "facts": {"battery.level": 0.19, "motion.activity": "still"}}:
        seconds since 1970, values in base units or as strings with a unit, null for unknown. A line of
        decisions is {"at": ..., "settings": {"gps": {...}}, "rules": ["saver"]}: the grants of one client that
        demands every sensor and radio of the policies, and the rules in force. State and timers continue from
        line to line. A fact that a line does not name becomes unknown; with --incremental the fact keeps its
        value. An invalid line is reported by its number and skipped, and the exit code is 1.
        """,
      operandUse: .policies,
      options: [
        .value("facts", "JSONL", "the file with the lines of facts; - for standard input").file(.input)
          .required("name a file with a JSON object on each line, or - for standard input"),
        .flag("incremental", "keep the facts that a line does not name"),
        .value(
          "time-zone", "ZONE",
          "the time zone: host, UTC+1, Europe/Berlin, CET-1CEST,M3.5.0,M10.5.0/3 (default: UTC)"),
      ] + DeviceOptions.definitions,
      run: { try run($0, $1, linked) })
  }

  private static func run(
    _ arguments: Arguments, _ console: Console, _ linked: [LinkedPlugin]
  ) throws -> ExitCode {
    let path = arguments.required("facts")
    guard path != "-" || !arguments.operands.contains("-") else {
      throw UsageError("policy and facts cannot both be standard input", hint: "write one of them to a file")
    }
    var evaluation = try PolicyEvaluation(
      policies: arguments.operands, vocabulary: try DeviceOptions.vocabulary(arguments, linked),
      timeZone: arguments.text("time-zone"),
      isIncremental: arguments.has("incremental"))
    return try stream(FactLines(path: path), through: &evaluation, to: console)
  }

  /// Prints the decisions for each line before it waits for the next line.
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
