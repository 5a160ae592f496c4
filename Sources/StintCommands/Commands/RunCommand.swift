import StintTools

/// `stint run`.
enum RunCommand {
  static let form = CommandForm(
    name: "run", operands: "", operandCount: 0...0,
    meaning: "run the bus on a simulated phone; policies are reloaded when their files change",
    detail: """
      Decisions are results, one a line, with the local time; everything else is talk. An edit
      with errors is refused and what was in force stays. Ctrl-C switches every device off and prints the ledger.
      Real hardware needs plugins, which this version cannot load yet, so --simulate must be given.
      """,
    options: [
      .value("policies", "DIR", "a folder of policies, or one file; watched"),
      .value("simulate", "S", "a built-in scenario or a scenario file"),
      .value("trace", "FILE", "a track as CSV, GPX or NMEA instead of the scenario's own way"),
      .value(
        "time-zone", "ZONE",
        "local time instead of the scenario's: host, UTC+1, Europe/Berlin, CET-1CEST,M3.5.0,M10.5.0/3"),
      .value("speed", "N", "simulated seconds in one second; 1 when left out"),
      .value("seed", "N", "the seed of all noise; 1 when left out"),
      .value("journal", "OUT", "write the journal to this file"),
      SimulationOptions.journalLimitForm,
      .flag("quiet", "do not print decisions"),
      .flag("json", "the ledger at the end as one JSON object"),
    ],
    run: { try run($0, $1) })

  private static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    guard let policies = arguments.text("policies") else {
      throw UsageError("run needs --policies", hint: "name a folder of policies, as in --policies policies")
    }
    guard let scenario = arguments.text("simulate") else {
      throw UsageError("there is no hardware to run on", hint: "simulate it: --simulate day-hike --speed 600")
    }
    guard arguments.text("trace") != "-" else {
      throw UsageError(
        "run cannot read its track from standard input", hint: "write it to a file and name it")
    }
    let request = LiveRequest(
      policies: policies, scenario: scenario, trace: arguments.text("trace"),
      timeZone: arguments.text("time-zone"),
      seed: try arguments.number("seed", in: 0...UInt64.max, otherwise: 1),
      speed: try arguments.number("speed", in: 1...1_000_000, otherwise: 1),
      journal: arguments.text("journal"), journalLimit: try SimulationOptions.journalLimit(arguments))
    let isQuiet = arguments.has("quiet") || arguments.has("json")
    let voice = LiveRun.Voice(
      decision: { if !isQuiet { console.result($0) } }, talk: { console.talk($0) })
    let report = try LiveRun(request, voice: voice).run()
    console.result(arguments.has("json") ? report.jsonText : report.text(console.resultPaint))
    return SimulationOptions.ending(report, console)
  }
}
