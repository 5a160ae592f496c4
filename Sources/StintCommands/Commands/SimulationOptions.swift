import StintTools

/// The options that `sim` and `compare` share.
enum SimulationOptions {
  static let forms: [OptionForm] = [
    .value("scenario", "S", "a built-in scenario or a scenario file; day-hike when left out"),
    .value(
      "trace", "FILE", "a track as CSV, GPX or NMEA instead of the scenario's own way; - for standard input"),
    .value(
      "time-zone", "ZONE",
      "local time instead of the scenario's: host, UTC+1, Europe/Berlin, CET-1CEST,M3.5.0,M10.5.0/3"),
    .value("seed", "N", "the seed of all noise; 1 when left out"),
    .value("threads", "N", "how many threads carry the devices; changes no result"),
    .value("journal", "OUT", "write the journal to this file"),
    .value("plan", "FILE", "write what the policy did as JSON lines, for programs that price it"),
    .flag("json", "the result as one JSON object"),
  ]

  /// The run that the arguments ask for, under these policies; `none` stands for no policy.
  static func request(_ arguments: Arguments, policies: [String]) throws -> SimulationRequest {
    SimulationRequest(
      policies: policies == ["none"] ? [] : policies, scenario: arguments.text("scenario") ?? "day-hike",
      trace: arguments.text("trace"), timeZone: arguments.text("time-zone"),
      seed: try arguments.number("seed", in: 0...UInt64.max, otherwise: 1),
      threads: try arguments.number("threads", in: 1...64, otherwise: 1),
      journal: arguments.text("journal"), plan: arguments.text("plan"))
  }
}

/// Runs a simulation to its end.
typealias SimulationEngine = @Sendable (SimulationRequest) throws -> SimulationReport
