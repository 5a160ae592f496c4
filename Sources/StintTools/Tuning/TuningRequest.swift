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
  /// How far off a position may be, in metres; nil for as far as each client asks.
  public var bound: Double?
  /// Which tracks are held back from the choice.
  public var holdBack: TrackSplit.Rule
  /// Whether satellites see the phone where it stands still in a gap of a track.
  public var openSky: Bool
  public var seed: UInt64
  /// How many settings are tried at most, the written one included.
  public var trials: Int
  /// How many tracks are run at a time; the results do not depend on it.
  public var threads: Int

  /// Asks for a tuning.
  public init(
    policy: String, traces: String, scenario: String, profile: String? = nil, bound: Double? = nil,
    holdBack: TrackSplit.Rule = .every(2), openSky: Bool = false, seed: UInt64 = 1, trials: Int = 64,
    threads: Int = 1
  ) {
    self.policy = policy
    self.traces = traces
    self.scenario = scenario
    self.profile = profile
    self.bound = bound
    self.holdBack = holdBack
    self.openSky = openSky
    self.seed = seed
    self.trials = trials
    self.threads = threads
  }
}
