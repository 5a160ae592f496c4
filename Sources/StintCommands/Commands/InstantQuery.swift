import StintTools

/// What `why` and `why-not` share: they ask about a moment of a journal, or a daemon about now.
enum InstantQuery {
  static let options: [OptionForm] = [
    .value("journal", "J", "a journal that sim or run wrote: a file, or the folder of a daemon's starts"),
    .value("control", "SOCKET", "ask the daemon that listens here"),
    .value("at", "TIME", "local time, as in 14:05 or 2026-11-22T14:05; the journal's end when left out"),
    .flag("json", "the report as one JSON object"),
  ]

  /// Prints what the journal's report says, or the daemon's answer.
  ///
  /// - Parameter report: the report of a journal at a time, for people and as JSON.
  static func run(
    _ command: String, _ query: DaemonQuery, _ arguments: Arguments, _ console: Console,
    report: (_ journal: String, _ time: String?) throws -> (text: String, json: String)
  ) throws -> ExitCode {
    let journal = arguments.text("journal")
    let asksDaemon = arguments.text("control") != nil || (journal == nil && ControlQuery.defaultPath != nil)
    if asksDaemon, journal != nil {
      throw UsageError("\(command) asks a journal or a daemon", hint: "leave --journal or --control out")
    }
    if asksDaemon, arguments.text("at") != nil {
      throw UsageError(
        "a daemon answers about now; --at needs --journal",
        hint: "name the folder that the daemon was given with --journal; it can be read while the daemon runs"
      )
    }
    guard let journal else {
      if asksDaemon { return try ControlQuery.run(query, arguments, console) }
      throw UsageError(
        "\(command) needs --journal or --control",
        hint: "write one with: stint sim FILE --scenario day-hike --journal J")
    }
    let report = try report(journal, arguments.text("at"))
    if arguments.has("json") {
      console.result(report.json)
    } else {
      console.report(report.text)
    }
    return .fine
  }
}
