/// What to tune, and against what.
public struct TuningRequest: Hashable, Sendable {
  /// The path of the policy whose parameters move.
  public var policy: String
  /// A folder of tracks: CSV, GPX or NMEA.
  public var traces: String
  /// Who asks for what: a built-in scenario or a scenario file; its own way is not used.
  public var scenario: String
  /// Whose power figures the devices have; nil for the scenario's choice.
  public var profile: String?
  /// Whether satellites see the phone where it stands still in a gap of a track.
  public var openSky: Bool
  public var seed: UInt64
  /// How many settings are tried at most, the written one included.
  public var trials: Int

  /// Asks for a tuning.
  public init(
    policy: String, traces: String, scenario: String, profile: String? = nil, openSky: Bool = false,
    seed: UInt64 = 1, trials: Int = 24
  ) {
    self.policy = policy
    self.traces = traces
    self.scenario = scenario
    self.profile = profile
    self.openSky = openSky
    self.seed = seed
    self.trials = trials
  }
}
