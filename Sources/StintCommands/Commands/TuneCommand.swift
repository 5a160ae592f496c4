import StintTools

/// `stint tune`.
enum TuneCommand {
  static let form = CommandForm(
    name: "tune", operands: "POLICY", operandCount: 1...1,
    meaning: "move a policy's parameters inside their ranges, against recorded tracks",
    detail: """
      Each setting runs on the tracks of a folder under the clients of a scenario. What nothing beats in both energy
      and quality is printed, beside the policy as it is written. Every third track is held back: nothing is chosen by
      it, and what was chosen is tried on it in the end.
      """,
    options: [
      .value("traces", "DIR", "a folder of tracks as CSV, GPX or NMEA"),
      .value(
        "scenario", "S", "who asks for what: a built-in scenario or a scenario file; day-hike when left out"),
      .value("profile", "NAME", "whose power figures the devices have; the scenario's when left out"),
      .flag(
        "open-sky",
        "the gaps of a track, where the phone stands still, are under the open sky and not indoors"),
      .value("trials", "N", "how many settings are tried at most; 24 when left out"),
      .value("seed", "N", "the seed of all noise; 1 when left out"),
      .flag("json", "the result as one JSON object"),
    ],
    run: { arguments, console in
      guard let traces = arguments.text("traces") else {
        throw UsageError("tune needs tracks to run on", hint: "name their folder with --traces DIR")
      }
      let request = TuningRequest(
        policy: arguments.operands[0], traces: traces, scenario: arguments.text("scenario") ?? "day-hike",
        profile: arguments.text("profile"), openSky: arguments.has("open-sky"),
        seed: try arguments.number("seed", in: 0...UInt64.max, otherwise: 1),
        trials: try arguments.number("trials", in: 1...10_000, otherwise: 24))
      let report = try PolicyTuning(request).run()
      console.result(arguments.has("json") ? report.jsonText : report.text(console.resultPaint))
      return .fine
    })
}
