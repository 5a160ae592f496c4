import StintSimulation

/// The options of a simulation.
public struct SimulationRequest: Hashable, Sendable {
  /// The paths of policy files; empty for a run without policies.
  public var policies: [String]
  /// The name of a built-in scenario or the path of a scenario file.
  public var scenario: String
  /// The path of a track that replaces the scenario's world; `-` is standard input. Nil for no track.
  public var trace: String?
  /// The path of recorded accelerations that the accelerometer replays; `-` is standard input. Nil for
  /// synthesized motion.
  public var motion: String?
  /// The name of the time zone, as `TimeZoneChoice` parses it; nil for the time zone of the scenario.
  public var timeZone: String?
  /// True when the phone has open sky during those gaps of the track in which the phone does not move. False
  /// means that the phone is indoors during these gaps.
  public var openSky: Bool
  /// The seed of the run's random numbers.
  public var seed: UInt64
  /// The name of the device profile that supplies the power figures; nil for the scenario's choice.
  public var profile: String?
  /// The number of threads that run the devices. The results do not depend on this number.
  public var threads: Int
  /// The path of the journal; nil for no journal.
  public var journal: String?
  /// The maximum size of the journal in bytes; nil for no limit.
  public var journalLimit: Int64?
  /// The path of a file for device states, deliveries and transfers, as JSON lines; nil for no file.
  public var plan: String?
  /// The number of random instants at which the same policies are reloaded. The results do not depend on this
  /// number.
  public var reloads: Int
  /// The path of a site file whose devices are simulated instead of those of the phone; nil for the phone.
  public var site: String?
  /// The path of a folder with the manifests of further simulated devices; nil for no folder.
  public var manifests: String?
  /// True when the run records the data of a report page.
  public var wantsTimeline: Bool

  /// The names of the device profiles. `+` joins a phone and a radio profile.
  public static let profiles = DeviceProfile.names

  /// Creates a request.
  public init(
    policies: [String], scenario: String, trace: String? = nil, motion: String? = nil,
    timeZone: String? = nil, seed: UInt64 = 1,
    threads: Int = 1, journal: String? = nil, journalLimit: Int64? = nil, plan: String? = nil,
    reloads: Int = 0, profile: String? = nil, openSky: Bool = false, site: String? = nil,
    manifests: String? = nil,
    wantsTimeline: Bool = false
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
    self.site = site
    self.manifests = manifests
    self.wantsTimeline = wantsTimeline
  }
}
