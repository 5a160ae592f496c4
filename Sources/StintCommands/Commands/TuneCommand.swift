import StintLanguage
import StintRuntime
import StintTools
import StintUnits

/// `stint tune`.
enum TuneCommand {
  static let form = CommandForm(
    name: "tune", operands: "POLICY", operandCount: 1...1,
    meaning: "move parameters inside their ranges against recorded tracks",
    detail: """
      Each setting runs on the tracks of a folder under the clients of a scenario. Energy is all that is drawn
      above what devices draw without a demand, sensing included; quality is the share of the time in which the
      last position that a client was handed was as near to the truth as it asked, or, where no client asks for
      positions, the share of transfers in time. What nothing beats in both is printed by energy, beside the
      policy as it is written, and what beats that by most in both is chosen. Every second track is held back:
      nothing is chosen by it, and what is on the frontier is tried on it in the end. The same call prints the
      same result with any --threads. Ctrl-C prints the best so far; the exit code is 130 then.
      """,
    options: [
      .value("traces", "DIR", "a folder of tracks as CSV, GPX or NMEA"),
      .value(
        "hold-back", "WHICH", "the second of every N tracks, or those whose names match, as in '*_b*'; 2"),
      .value(
        "scenario", "S", "who asks for what: a built-in scenario or a scenario file; day-hike when left out"),
      .value("profile", "NAME", "whose power figures the devices have; the scenario's when left out"),
      .value(
        "bound", "LENGTH", "how far off a position may be, as in 50m; what each client asks when left out"),
      .flag(
        "open-sky",
        "the gaps of a track, where the phone stands still, are under the open sky and not indoors"),
      .value("trials", "N", "how many settings are tried at most; 64 when left out"),
      .value("threads", "N", "how many tracks are run at a time; changes no result; 2 when left out"),
      .value("seed", "N", "the seed of all noise; 1 when left out"),
      .value(
        "write", "FILE",
        "write the policy with the chosen values here, unless held-back tracks speak against it"),
      .flag("json", "the result as one JSON object"),
    ],
    run: { try run($0, $1) })

  private static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    let tuning = try PolicyTuning(request(arguments))
    let interruption = Interruption()
    let line = console.progress("tuning")
    defer { line.end() }
    let report: TuningReport
    do {
      report = try tuning.run(
        progress: { line.update($0, $1) }, isInterrupted: { interruption.isPending })
    } catch {
      _ = interruption.end()
      throw error
    }
    console.result(arguments.has("json") ? report.jsonText : report.text(console.resultPaint))
    if interruption.end() { return .interrupted }
    guard let path = arguments.text("write") else { return .fine }
    return try write(report, tuning, to: path, console)
  }

  private static func request(_ arguments: Arguments) throws -> TuningRequest {
    guard let traces = arguments.text("traces") else {
      throw UsageError("tune needs tracks to run on", hint: "name their folder with --traces DIR")
    }
    return TuningRequest(
      policy: arguments.operands[0], traces: traces, scenario: arguments.text("scenario") ?? "day-hike",
      profile: arguments.text("profile"), bound: try bound(arguments), holdBack: try holdBack(arguments),
      openSky: arguments.has("open-sky"),
      seed: try arguments.number("seed", in: 0...UInt64.max, otherwise: 1),
      trials: try arguments.number("trials", in: 1...100_000, otherwise: 64),
      threads: try arguments.number("threads", in: 1...64, otherwise: 2))
  }

  private static func bound(_ arguments: Arguments) throws -> Double? {
    guard let text = arguments.text("bound") else { return nil }
    let wrong = UsageError("--bound is “\(text)”, and takes a distance", hint: "as in 50m")
    let quantity: Quantity
    do { quantity = try Quantity(parsing: text) } catch { throw wrong }
    guard quantity.dimension == .length, quantity.value > 0 else { throw wrong }
    return quantity.value
  }

  private static func holdBack(_ arguments: Arguments) throws -> TrackSplit.Rule {
    guard let text = arguments.text("hold-back") else { return .every(2) }
    guard let count = Int(text) else { return .matching(text) }
    guard count >= 2 else {
      throw UsageError(
        "--hold-back \(text) leaves nothing to choose by",
        hint: "write 2 for every second track, or a pattern")
    }
    return .every(count)
  }

  private static func write(
    _ report: TuningReport, _ tuning: PolicyTuning, to path: String, _ console: Console
  ) throws -> ExitCode {
    guard let advice = report.advice else {
      console.complain(
        report.choice == nil
          ? "\(path) is not written: nothing beats the policy as it is"
          : "\(path) is not written: on the tracks that were held back the choice is not better",
        hint: report.choice == nil ? "try more with --trials, or widen ranges" : "try it with more tracks")
      return .findings
    }
    try FileText.write(tuning.text(with: advice.values).bytes, to: path)
    console.log("\(path) is written")
    return .fine
  }
}
