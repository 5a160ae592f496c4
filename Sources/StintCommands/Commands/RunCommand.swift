import StintDaemon
import StintModel
import StintPluginKit
import StintRuntime
import StintTools

enum RunCommand {
  private static let speedOption = OptionDefinition.integer(
    "speed", "N", in: 1...1_000_000, otherwise: 1, "with --simulate: simulated seconds per real second")

  static func definition(_ linked: [LinkedPlugin]) -> CommandDefinition {
    CommandDefinition(
      name: "run", operands: "", operandCount: 0...0,
      meaning: "run the bus on real or simulated hardware",
      example: "stint run --policies policies/hiking.stint --simulate day-hike --speed 600",
      detail: """
        Standard output has one line per decision, with the local time; all other output is log messages. An
        edit with errors is rejected, and the policies in force stay. After a reload, a report lists every
        hold time (for), hysteresis (release), window, budget, doubling and state machine as kept, moved,
        reset or dropped. With --state a restart continues with the policies and the state of the previous
        process; devices restart. On real hardware the time between the two processes counts as passed. With
        --control, commands such as status, why, push and request can reach the daemon.

        Ctrl-C, like every other signal that ends a process except KILL, switches every device off and prints
        the ledger. SIGHUP reloads policies and site. When the host's clock is set, schedules and daily
        budgets follow the new time, durations continue, and a line reports the change. A second daemon with
        the same state, journal or socket is rejected.

        A site file is JSON: {"stint_site": 1, "plugins": [{"plugin": NAME, "with": {SETTING: VALUE}}],
        "clients": [], "declares": [], "facts": {}}; clients, declared facts and values are written as in
        scenarios. A plugin in a separate process is {"process": "DIR/plugin.json", "sha256": DIGITS, "with":
        {}}. The digits are optional; with them a changed descriptor is rejected, because the daemon does not
        start with unknown devices. After the start, a failure ends only the plugin, not the daemon, and stint
        status reports the reason. With "library" in place of "process" the plugin is loaded into the daemon
        and becomes a part of it. The daemon watches the site file. When a plugin is removed from the file,
        its process ends; when the plugin is added again, its process starts again. A plugin whose settings or
        digits changed starts again at once. All other changes of the file need a restart of the daemon; stint
        status lists them.

        \(plugins(linked))
        """,
      alternatives: "(--site FILE | --simulate S)",
      options: [
        .value("policies", "DIR", "a folder of policies, or one file; changes are applied at once")
          .required("for example --policies policies"),
        .value("site", "FILE", "the real devices: plugins, their settings, and clients"),
        .value("simulate", "S", "a built-in scenario or a scenario file"),
        .value("trace", "FILE", "a track as CSV, GPX or NMEA instead of the scenario's own route"),
        .value(
          "time-zone", "ZONE",
          "the time zone instead of the scenario's: host, UTC+1, Europe/Berlin, CET-1CEST,M3.5.0,M10.5.0/3"),
        speedOption, SimulationOptions.seedOption,
        .value("journal", "DIR", "write a journal for each start into this folder"),
        SimulationOptions.journalLimitOption,
        .value("state", "FILE", "save policies and their state here, and restore them after a restart"),
        .value(
          "control", "SOCKET",
          "listen here for commands and client programs (default: the environment variable STINT_CONTROL)"),
        .value(
          "control-group", "GROUP",
          "users of this group may also connect to the socket, for status, why and why-not only"),
        .value(
          "clock-offset", "FILE",
          "for tests: seconds to add to the host's clock; read again when the file changes"),
        .flag("quiet", "do not print decisions"),
        .flag(
          "dated-log", "begin each log line with the date and time in UTC and the level"),
        .flag("json", "print the final ledger as one JSON object"),
      ],
      run: { try run($0, $1, linked) })
  }

  /// Returns the help paragraph about the linked plugins that a site file can name.
  private static func plugins(_ linked: [LinkedPlugin]) -> String {
    guard !linked.isEmpty else { return "This program has no linked plugins." }
    return linked.map { plugin in
      let settings = plugin.form.settings.map { "\n    \($0.key): \($0.meaning)" }.joined()
      return "Plugin \(plugin.form.name): \(plugin.form.meaning).\(settings)"
    }.joined(separator: "\n\n")
  }

  private static func run(
    _ arguments: Arguments, _ console: Console, _ linked: [LinkedPlugin]
  ) throws -> ExitCode {
    let devices = try devices(arguments)
    guard arguments.text("trace") != "-" else {
      throw UsageError(
        "run cannot read its track from standard input",
        hint: "write the track to a file, and give the path of the file in place of -")
    }
    var daemon = DaemonOptions(policies: arguments.required("policies"))
    daemon.speed = try arguments.integer(speedOption) ?? 1
    daemon.journal = arguments.text("journal")
    daemon.journalLimit = try SimulationOptions.journalLimit(arguments)
    daemon.state = arguments.text("state")
    daemon.control = arguments.text("control") ?? ControlQuery.defaultPath
    daemon.version = Version.package
    daemon.inputs = ["site", "simulate", "trace", "clock-offset"].compactMap { option in
      arguments.text(option).map { ("--\(option)", $0) }
    }
    guard daemon.control != nil || arguments.text("control-group") == nil else {
      throw UsageError("--control-group needs --control", hint: "name the socket with --control SOCKET")
    }
    daemon.controlGroup = try arguments.text("control-group").map { try ControlGroup($0) }
    daemon.clockOffset = arguments.text("clock-offset")
    var request = LiveRequest(daemon, devices: devices)
    request.trace = arguments.text("trace")
    request.timeZone = arguments.text("time-zone")
    request.seed = try arguments.integer(SimulationOptions.seedOption) ?? 1
    let isQuiet = arguments.has("quiet") || arguments.has("json")
    let live = console.withoutWaiting
    let voice = LiveRun.RunOutput(
      isLogDated: arguments.has("dated-log"), decision: { if !isQuiet { live.result($0) } },
      log: { live.log($0) }, dropped: { live.droppedLines })
    let report = try LiveRun(request, linked: linked, output: voice).run()
    console.result(arguments.has("json") ? report.jsonText : report.text(console.resultPaint))
    if let problem = report.saveProblem { console.complain(problem) }
    let code = SimulationOptions.ending(report.simulation, console)
    return report.saveProblem == nil ? code : .findings
  }

  private static func devices(_ arguments: Arguments) throws -> LiveRequest.Devices {
    switch (arguments.text("site"), arguments.text("simulate")) {
    case (nil, nil):
      throw UsageError(
        "run needs devices",
        hint: "name them with --site site.json, or simulate them with --simulate day-hike --speed 600")
    case (_?, _?):
      throw UsageError("--site and --simulate exclude each other", hint: "omit one of them")
    case (nil, let scenario?): return .simulated(scenario: scenario)
    case (let path?, nil):
      for option in ["trace", "speed", "seed"] where arguments.text(option) != nil {
        throw UsageError(
          "--\(option) applies to simulations, not to --site", hint: "omit --\(option)")
      }
      return .site(path)
    }
  }
}
