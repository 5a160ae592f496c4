import StintModel
import StintPluginKit
import StintTools

/// `stint run`.
enum RunCommand {
  static func form(_ linked: [LinkedPlugin]) -> CommandForm {
    CommandForm(
      name: "run", operands: "", operandCount: 0...0,
      meaning: "run the bus on real or simulated hardware",
      detail: """
        Decisions are results, one a line, with the local time; everything else is talk. An edit
        with errors is refused and what was in force stays. After a reload it prints what became of
        every timer, latch, window, budget, doubling and machine: kept, moved, reset or dropped. With --state a
        restart goes on where the process before was interrupted, with the policies and the state that it had;
        devices restart. On real hardware the time without a run counts. With --control, status, why, push and
        rollback reach it.

        Ctrl-C switches every device off and prints the ledger; so does every other signal that ends a process, but
        KILL. SIGHUP reads policies and site again. When the host's clock is set, schedules and days of budgets follow,
        spans of time go on, and a line says so. A second daemon with one state, journal or socket is refused.

        A site file is JSON: {"stint_site": 1, "plugins": [{"plugin": NAME, "with": {SETTING: VALUE}}], "clients": [],
        "declares": [], "facts": {}}; clients, declared facts and values are written as in scenarios. A plugin that runs
        in a process of its own is {"process": "DIR/plugin.json", "sha256": DIGITS, "with": {}} there; the digits pin its
        descriptor and may be left out. What it does wrong ends it, not the bus, and status says what it was. With
        "library" in place of "process" it is loaded into the daemon, of which it is a part then. The file is watched: a
        process that is taken out of it ends, and begins again when it is put back; new devices wait for a new start.

        \(plugins(linked))
        """,
      options: [
        .value("policies", "DIR", "a folder of policies, or one file; watched"),
        .value("site", "FILE", "the real devices: which plugins, with which settings, for which clients"),
        .value("simulate", "S", "a built-in scenario or a scenario file"),
        .value("trace", "FILE", "a track as CSV, GPX or NMEA instead of the scenario's own way"),
        .value(
          "time-zone", "ZONE",
          "local time instead of the scenario's: host, UTC+1, Europe/Berlin, CET-1CEST,M3.5.0,M10.5.0/3"),
        .value("speed", "N", "simulated seconds in one second; 1 when left out"),
        .value("seed", "N", "the seed of all noise; 1 when left out"),
        .value("journal", "DIR", "write a journal into this folder, one for each start"),
        SimulationOptions.journalLimitForm,
        .value("state", "FILE", "keep policies and their state here, and go on from it after a restart"),
        .value(
          "control", "SOCKET", "listen here for status, why, push and rollback; STINT_CONTROL when left out"),
        .value(
          "clock-offset", "FILE",
          "for tests: seconds that are added to the host's clock, read again when the file changes"),
        .flag("quiet", "do not print decisions"),
        .flag("json", "the ledger at the end as one JSON object"),
      ],
      run: { try run($0, $1, linked) })
  }

  /// What a site file can name, for the help page.
  private static func plugins(_ linked: [LinkedPlugin]) -> String {
    guard !linked.isEmpty else { return "This program has no plugin linked in." }
    return linked.map { plugin in
      let settings = plugin.form.settings.map { "\n    \($0.key): \($0.meaning)" }.joined()
      return "Plugin \(plugin.form.name): \(plugin.form.meaning).\(settings)"
    }.joined(separator: "\n\n")
  }

  private static func run(
    _ arguments: Arguments, _ console: Console, _ linked: [LinkedPlugin]
  ) throws -> ExitCode {
    guard let policies = arguments.text("policies") else {
      throw UsageError("run needs --policies", hint: "name a folder of policies, as in --policies policies")
    }
    let devices = try devices(arguments)
    guard arguments.text("trace") != "-" else {
      throw UsageError(
        "run cannot read its track from standard input", hint: "write it to a file and name it")
    }
    var request = LiveRequest(
      policies: policies, devices: devices, trace: arguments.text("trace"),
      timeZone: arguments.text("time-zone"),
      seed: try arguments.number("seed", in: 0...UInt64.max, otherwise: 1),
      speed: try arguments.number("speed", in: 1...1_000_000, otherwise: 1),
      journal: arguments.text("journal"), journalLimit: try SimulationOptions.journalLimit(arguments),
      state: arguments.text("state"), control: arguments.text("control") ?? ControlQuery.defaultPath)
    request.clockOffset = arguments.text("clock-offset")
    let isQuiet = arguments.has("quiet") || arguments.has("json")
    let voice = LiveRun.RunOutput(
      decision: { if !isQuiet { console.result($0) } }, log: { console.log($0) })
    let report = try LiveRun(request, linked: linked, voice: voice).run()
    console.result(arguments.has("json") ? report.jsonText : report.text(console.resultPaint))
    return SimulationOptions.ending(report.simulation, console)
  }

  private static func devices(_ arguments: Arguments) throws -> LiveRequest.Devices {
    switch (arguments.text("site"), arguments.text("simulate")) {
    case (nil, nil):
      throw UsageError(
        "there is no hardware to run on",
        hint: "name it: --site site.json, or simulate it: --simulate day-hike --speed 600")
    case (_?, _?):
      throw UsageError("--site and --simulate exclude each other", hint: "leave one of them out")
    case (nil, let scenario?): return .simulated(scenario: scenario)
    case (let path?, nil):
      for option in ["trace", "speed", "seed"] where arguments.text(option) != nil {
        throw UsageError(
          "--\(option) is for simulations, and --site is real", hint: "leave --\(option) out")
      }
      return .site(path)
    }
  }
}
