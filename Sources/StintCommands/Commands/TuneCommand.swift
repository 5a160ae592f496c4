import StintLanguage
import StintPluginKit
import StintRuntime
import StintTools
import StintUnits

enum TuneCommand {
  private static let trialsOption = OptionDefinition.integer(
    "trials", "N", in: 1...100_000, otherwise: 64, "the maximum number of parameter sets to try")
  private static let threadsOption = OptionDefinition.integer(
    "threads", "N", in: 1...64, otherwise: 2, "how many tracks run in parallel; does not change the result")

  static func definition(_ linked: [LinkedPlugin] = []) -> CommandDefinition {
    CommandDefinition(
      name: "tune", operands: "POLICY", operandCount: 1...1,
      meaning: "optimize parameters within their ranges on recorded tracks",
      example: "stint tune policies/ladder.stint --traces tracks --write tuned.stint",
      detail: """
        Each parameter set runs on the tracks of a folder with the clients of a scenario. Energy does not
        include the power that devices draw without a demand; it includes the sensors that rules use. Quality is
        the share of the time in which the last position of a client was as accurate as requested, or, where no
        client requests positions, the share of transfers in time. The sets that no other set beats in both
        energy and quality (the Pareto frontier) are printed in the order of energy, with the current policy.
        The chosen set has the largest product of energy gain and quality gain over the current policy. Every
        second track (see --hold-back) is kept for validation: it does not influence the choice, and the sets
        on the frontier run on it at the end. The result does not depend on --threads. Ctrl-C prints the best
        sets found; the exit code is 130 then.
        """,
      operandUse: .policies,
      options: [
        .value("traces", "DIR", "a folder of tracks as CSV, GPX or NMEA")
          .file(.input(suffixes: [".csv", ".gpx", ".nmea"]))
          .required("name the folder of recorded tracks with --traces DIR"),
        .value(
          "hold-back", "WHICH",
          "the validation tracks: one of every N, or a pattern such as '*_b*' (default: 2)"),
        .value(
          "scenario", "S",
          "the clients: a built-in scenario or a scenario file (default: day-hike; quiet with --site)"
        )
        .file(.scenario),
        .value("profile", "NAME", "the power profile of the devices (default: the scenario's)"),
        .value(
          "bound", "LENGTH", "the allowed position error, such as 50m (default: that of each client)"),
        .flag(
          "open-sky",
          "assume open sky, not indoors, in those gaps of a track in which the phone rests"),
        trialsOption, threadsOption, SimulationOptions.seedOption,
        .value(
          "write", "FILE",
          "write the policy with the chosen values here, if they are better on validation tracks too"
        )
        .file(.output),
        .flag("json", "print the result as one JSON object"),
      ] + DeviceOptions.definitions,
      run: { try run($0, $1, linked) })
  }

  private static func run(
    _ arguments: Arguments, _ console: Console, _ linked: [LinkedPlugin]
  ) throws -> ExitCode {
    let tuning = try PolicyTuning(request(arguments), linked: linked)
    let deferredSignals = DeferredSignals()
    let line = console.progress("tuning")
    defer { line.end() }
    let report: TuningReport
    do {
      report = try tuning.run(
        progress: { line.update($0, $1) }, isInterrupted: { deferredSignals.isPending })
    } catch {
      _ = deferredSignals.end()
      throw error
    }
    console.result(arguments.has("json") ? report.jsonText : report.text(console.resultPaint))
    if deferredSignals.end() { return .interrupted }
    guard let path = arguments.text("write") else { return .fine }
    return try write(report, tuning, to: path, console)
  }

  private static func request(_ arguments: Arguments) throws -> TuningRequest {
    if arguments.text("site") != nil, arguments.text("profile") != nil {
      throw SimulationOptions.profileOnSite
    }
    return TuningRequest(
      policy: arguments.operands[0], traces: arguments.required("traces"),
      scenario: SimulationOptions.scenario(arguments),
      profile: arguments.text("profile"), bound: try bound(arguments), holdBack: try holdBack(arguments),
      openSky: arguments.has("open-sky"),
      seed: try arguments.integer(SimulationOptions.seedOption) ?? 1,
      trials: try arguments.integer(trialsOption) ?? 64,
      threads: try arguments.integer(threadsOption) ?? 2, site: arguments.text("site"),
      manifests: arguments.text("manifests"))
  }

  private static func bound(_ arguments: Arguments) throws -> Double? {
    guard let text = arguments.text("bound") else { return nil }
    let wrong = UsageError("expected a distance for --bound, found “\(text)”", hint: "for example 50m")
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
        "--hold-back \(text) leaves no track for tuning",
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
          ? "\(path) is not written: no values beat the current policy"
          : "\(path) is not written: the chosen values are not better on the validation tracks",
        hint: report.choice == nil ? "increase --trials, or widen the ranges" : "add more tracks")
      return .findings
    }
    let bytes = tuning.text(with: advice.values).bytes
    return console.save(otherwise: .fine) { () throws(Problem) in
      try FileText.write(bytes, to: path)
      console.log("\(path) is written")
    }
  }
}
