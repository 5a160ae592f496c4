import StintSimulation

/// What to simulate.
public struct SimulationRequest: Hashable, Sendable {
  /// Paths of policy files; empty for none.
  public var policies: [String]
  /// The name of a built-in scenario or the path of a scenario file.
  public var scenario: String
  /// A track instead of the scenario's own world; `-` is standard input.
  public var trace: String?
  /// Recorded accelerations for the accelerometer to measure again; `-` is standard input.
  public var motion: String?
  /// Local time by this name of a zone, as `TimeZoneChoice` reads it; nil for the scenario's own.
  public var timeZone: String?
  /// Whether satellites see the phone where it stands still in a gap of the track; else it is indoors there.
  public var openSky: Bool
  public var seed: UInt64
  /// Whose power figures the devices have; nil for the scenario's choice.
  public var profile: String?
  /// How many threads carry the devices; the results do not depend on it.
  public var threads: Int
  /// Where to write the journal, and how many bytes it may take; nil for as many as it needs.
  public var journal: String?
  public var journalLimit: Int64?
  /// Where to write what the policy did, as JSON lines.
  public var plan: String?
  /// At how many random instants the same policies are put in force again; the results do not depend on it.
  public var reloads: Int
  /// Whether what a report page shows is kept.
  public var wantsTimeline: Bool

  /// The names of the device profiles; phone and radio go together with `+`.
  public static let profiles = DeviceProfile.names

  /// Asks for a run.
  public init(
    policies: [String], scenario: String, trace: String? = nil, motion: String? = nil,
    timeZone: String? = nil, seed: UInt64 = 1,
    threads: Int = 1, journal: String? = nil, journalLimit: Int64? = nil, plan: String? = nil,
    reloads: Int = 0, profile: String? = nil, openSky: Bool = false, wantsTimeline: Bool = false
  ) {
    self.policies = policies
    self.scenario = scenario
    self.trace = trace
    self.motion = motion
    self.timeZone = timeZone
    self.seed = seed
    self.threads = threads
    self.journal = journal
    self.journalLimit = journalLimit
    self.plan = plan
    self.reloads = reloads
    self.profile = profile
    self.openSky = openSky
    self.wantsTimeline = wantsTimeline
  }
}
