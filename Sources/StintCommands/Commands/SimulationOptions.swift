package import StintTools
import StintUnits

/// The common options of `sim` and `compare`.
package enum SimulationOptions {
  package static let definitions: [OptionDefinition] =
    [
      .value(
        "scenario", "S", "a built-in scenario or a scenario file (default: day-hike; quiet with --site)"
      )
      .file(.scenario),
      .value(
        "trace", "FILE", "a track as CSV, GPX or NMEA instead of the scenario's route; - for standard input"
      )
      .file(.input),
      .value(
        "motion", "FILE",
        "recorded accelerations as CSV, which replace those of the route; - for standard input"
      ).file(.input),
      .flag(
        "open-sky", "assume open sky, not indoors, in those gaps of a track in which the phone rests"
      ),
      .value(
        "time-zone", "ZONE",
        "the time zone instead of the scenario's: host, UTC+1, Europe/Berlin, CET-1CEST,M3.5.0,M10.5.0/3"),
      .value(
        "profile", "NAME", "the power profile of the devices: \(profiles) (default: the scenario's)"),
      seedOption, threadsOption,
      .value("journal", "OUT", "write the journal to this file").file(.newOutput),
      journalLimitOption,
      .value("plan", "FILE", "write the decisions of the policy as JSON lines, for cost models")
        .file(.output),
      .value(
        "report", "HTML", "write a page with timelines, curves, a map, and the causes of each device's energy"
      ).file(.output),
      .flag("json", "print the result as one JSON object"),
    ] + DeviceOptions.definitions

  private static let profiles = SimulationRequest.profiles.joined(separator: ", ")

  package static let seedOption = OptionDefinition.integer(
    "seed", "N", in: 0...UInt64.max, otherwise: 1, "the seed of all noise")

  private static let threadsOption = OptionDefinition.integer(
    "threads", "N", in: 1...64, otherwise: 1, "the number of threads for devices; does not change the result")

  package static let journalLimitOption = OptionDefinition.value(
    "journal-limit", "SIZE",
    "the maximum size of all journal files, at least 1 MiB, such as 64MB; the oldest are deleted first"
  ).needing("journal", "name the journal with --journal")

  /// The size limit of the journal in bytes; nil for no limit.
  package static func journalLimit(_ arguments: Arguments) throws(UsageError) -> Int64? {
    guard let text = arguments.text("journal-limit") else { return nil }
    let wrong = UsageError(
      "expected a size of at least 1 MiB for --journal-limit, found “\(text)”", hint: "for example 64MB")
    let quantity: Quantity
    do { quantity = try Quantity(parsing: text) } catch { throw wrong }
    guard quantity.dimension == .data, let bytes = Int64(exactly: quantity.value.rounded()), bytes >= 1 << 20
    else {
      throw wrong
    }
    return bytes
  }

  /// Logs the problems of an incomplete journal and of a plan that is not written, and returns the exit code.
  package static func ending(_ report: SimulationReport, _ console: Console) -> ExitCode {
    for problem in [report.journalProblem, report.planProblem].compactMap(\.self) {
      console.complain(problem)
    }
    if report.planProblem != nil { return .misuse }
    return report.journalProblem == nil ? .fine : .findings
  }

  /// Writes the page of `--report` after the result is printed, and logs the problems of all files.
  ///
  /// - Returns: the exit code.
  static func finish(_ runs: [SimulationReport], _ arguments: Arguments, _ console: Console) -> ExitCode {
    let codes = runs.map { ending($0, console) }
    let code = codes.contains(.misuse) ? .misuse : codes.last ?? .fine
    guard let path = arguments.text("report") else { return code }
    return console.save(otherwise: code) { () throws(Problem) in try ReportPage(runs).write(to: path) }
  }

  /// The scenario of the arguments. Without a scenario in the arguments: `quiet` if there is a site, and
  /// `day-hike` if there is no site.
  static func scenario(_ arguments: Arguments) -> String {
    arguments.text("scenario") ?? (arguments.text("site") == nil ? "day-hike" : "quiet")
  }

  static let profileOnSite = UsageError(
    "--profile has no effect on the devices of a site", hint: "omit it; their manifests state the power")

  /// Returns the simulation for the arguments and these policies; the policy `none` means no policy at all.
  package static func request(_ arguments: Arguments, policies: [String]) throws -> SimulationRequest {
    if arguments.text("trace") == "-", arguments.text("motion") == "-" {
      throw UsageError(
        "standard input cannot be both the track and the motion",
        hint: "write one of them to a file, and give the path of the file in place of -")
    }
    if arguments.text("site") != nil, arguments.text("profile") != nil {
      throw profileOnSite
    }
    return SimulationRequest(
      policies: policies == ["none"] ? [] : policies,
      scenario: scenario(arguments),
      trace: arguments.text("trace"), motion: arguments.text("motion"),
      timeZone: arguments.text("time-zone"),
      seed: try arguments.integer(seedOption) ?? 1, threads: try arguments.integer(threadsOption) ?? 1,
      journal: arguments.text("journal"), journalLimit: try journalLimit(arguments),
      plan: arguments.text("plan"), profile: arguments.text("profile"),
      openSky: arguments.has("open-sky"), site: arguments.text("site"),
      manifests: arguments.text("manifests"), wantsTimeline: arguments.text("report") != nil)
  }
}

/// A function that reads all inputs of a simulation, and returns a function that runs the simulation. So a
/// command reads the inputs of all its runs before the first run.
typealias SimulationEngine = @Sendable (SimulationRequest) throws -> SimulationRunner

/// A function that runs a simulation to its end. Its closure receives the completed share of the work, from 0
/// to 1.
typealias SimulationRunner = (_ progress: @escaping @Sendable (Double) -> Void) throws -> SimulationReport
