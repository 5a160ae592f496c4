package import StintTools
import StintUnits

/// The options that `sim` and `compare` share.
package enum SimulationOptions {
  package static let forms: [OptionForm] = [
    .value("scenario", "S", "a built-in scenario or a scenario file; day-hike when left out"),
    .value(
      "trace", "FILE", "a track as CSV, GPX or NMEA instead of the scenario's own way; - for standard input"),
    .value(
      "motion", "FILE",
      "recorded accelerations as CSV for the accelerometer to measure, instead of the way's; - for standard input"
    ),
    .flag(
      "open-sky", "the gaps of a track, where the phone stands still, are under the open sky and not indoors"),
    .value(
      "time-zone", "ZONE",
      "local time instead of the scenario's: host, UTC+1, Europe/Berlin, CET-1CEST,M3.5.0,M10.5.0/3"),
    .value(
      "profile", "NAME", "whose power figures the devices have: \(profiles); the scenario's when left out"),
    .value("seed", "N", "the seed of all noise; 1 when left out"),
    .value("threads", "N", "how many threads carry the devices; changes no result"),
    .value("journal", "OUT", "write the journal to this file"),
    journalLimitForm,
    .value("plan", "FILE", "write what the policy did as JSON lines, for programs that price it"),
    .value(
      "report", "HTML", "write a page to look at: lanes, curves, a map, and why each device drew what it did"),
    .flag("json", "the result as one JSON object"),
  ]

  private static let profiles = SimulationRequest.profiles.joined(separator: ", ")

  package static let journalLimitForm = OptionForm.value(
    "journal-limit", "SIZE",
    "the most room the journal's files may take together, as in 64MB; the oldest go first")

  /// The bytes that the journal may take; nil for as many as it needs.
  package static func journalLimit(_ arguments: Arguments) throws(UsageError) -> Int64? {
    guard let text = arguments.text("journal-limit") else { return nil }
    guard arguments.text("journal") != nil else {
      throw UsageError("--journal-limit needs --journal", hint: "name the journal's file with --journal OUT")
    }
    let wrong = UsageError(
      "--journal-limit is “\(text)”, and takes a size of at least 1 MiB", hint: "as in 64MB")
    let quantity: Quantity
    do { quantity = try Quantity(parsing: text) } catch { throw wrong }
    guard quantity.dimension == .data, let bytes = Int64(exactly: quantity.value.rounded()), bytes >= 1 << 20
    else {
      throw wrong
    }
    return bytes
  }

  /// Says what is missing in a run's journal; the exit code that this makes.
  package static func ending(_ report: SimulationReport, _ console: Console) -> ExitCode {
    guard let problem = report.journalProblem else { return .fine }
    console.complain(problem)
    return .findings
  }

  /// The path of the page to write, which can be written; nil where none is asked for.
  package static func page(_ arguments: Arguments) throws -> String? {
    guard let path = arguments.text("report") else { return nil }
    guard path != "-" else {
      throw UsageError("a page cannot go to standard output", hint: "name a file, as in --report out.html")
    }
    try ReportPage.check(path: path)
    return path
  }

  /// The run that the arguments ask for, under these policies; `none` stands for no policy.
  package static func request(_ arguments: Arguments, policies: [String]) throws -> SimulationRequest {
    if arguments.text("trace") == "-", arguments.text("motion") == "-" {
      throw UsageError(
        "standard input cannot be both the track and the motion",
        hint: "write one of them to a file and name it")
    }
    return SimulationRequest(
      policies: policies == ["none"] ? [] : policies, scenario: arguments.text("scenario") ?? "day-hike",
      trace: arguments.text("trace"), motion: arguments.text("motion"),
      timeZone: arguments.text("time-zone"),
      seed: try arguments.number("seed", in: 0...UInt64.max, otherwise: 1),
      threads: try arguments.number("threads", in: 1...64, otherwise: 1),
      journal: arguments.text("journal"), journalLimit: try journalLimit(arguments),
      plan: arguments.text("plan"), profile: arguments.text("profile"),
      openSky: arguments.has("open-sky"), wantsTimeline: arguments.text("report") != nil)
  }
}

/// Runs a simulation to its end.
typealias SimulationEngine =
  @Sendable (SimulationRequest, @escaping @Sendable (Double) -> Void) throws ->
  SimulationReport
