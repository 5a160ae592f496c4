import StintTools

/// The common part of `why` and `why-not`. They query an instant of a journal, or the current instant of a
/// daemon.
enum InstantQuery {
  static let options: [OptionDefinition] = [
    .value("journal", "J", "a journal that stint sim or run wrote: a file, or a daemon's journal folder"),
    .value(
      "control", "SOCKET",
      "query the daemon with this control socket (default without --journal: the environment variable STINT_CONTROL)"
    ),
    .value("at", "TIME", "the local time, such as 14:05 or 2026-11-22T14:05 (default: the journal's end)"),
    .flag("json", "print the report as one JSON object"),
  ]

  /// Prints the report of a journal, or the daemon's answer.
  ///
  /// - Parameter report: makes the report of a journal at a time, as text and as JSON.
  static func run(
    _ command: String, _ query: DaemonQuery, _ arguments: Arguments, _ console: Console,
    report: (_ journal: String, _ time: String?) throws -> (text: String, json: String)
  ) throws -> ExitCode {
    let journal = arguments.text("journal")
    let asksDaemon = arguments.text("control") != nil || (journal == nil && ControlQuery.defaultPath != nil)
    if asksDaemon, journal != nil {
      throw UsageError(
        "\(command) needs either a journal or a daemon, not both", hint: "omit --journal or --control")
    }
    if asksDaemon, arguments.text("at") != nil {
      throw UsageError(
        "--at needs --journal: a daemon reports only the current time",
        hint: "name the journal folder of the daemon; it can be read while the daemon runs"
      )
    }
    guard let journal else {
      if asksDaemon { return try ControlQuery.run(query, arguments, console) }
      throw UsageError(
        "\(command) needs --journal or --control",
        hint: "write a journal with: stint sim FILE --scenario day-hike --journal J")
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
