/// The options of a tuning.
public struct TuningRequest: Hashable, Sendable {
  /// The path of the policy whose parameters are tuned.
  public var policy: String
  /// A folder of tracks: CSV, GPX or NMEA.
  public var traces: String
  /// The scenario that supplies the clients and their demands: a built-in name or a file. A track replaces
  /// the movement that the scenario describes.
  public var scenario: String
  /// The name of the device profile that supplies the power figures; nil for the scenario's choice.
  public var profile: String?
  /// The maximum accepted position error in metres; nil for the accuracy that each client requests.
  public var bound: Double?
  /// The rule that selects the held-out tracks.
  public var holdBack: TrackSplit.Rule
  /// True when the phone is under open sky while it rests in a gap of a track. False when it is indoors.
  public var openSky: Bool
  /// The seed of the runs' random numbers.
  public var seed: UInt64
  /// The maximum number of parameter sets to test, including the set in the policy.
  public var trials: Int
  /// The number of tracks that are simulated at the same time. The results do not depend on this number.
  public var threads: Int

  /// The path of a site file whose devices are simulated instead of those of the phone; nil for the phone.
  public var site: String?
  /// The path of a folder with the manifests of further simulated devices; nil for no folder.
  public var manifests: String?

  /// Creates a request.
  public init(
    policy: String, traces: String, scenario: String, profile: String? = nil, bound: Double? = nil,
    holdBack: TrackSplit.Rule = .every(2), openSky: Bool = false, seed: UInt64 = 1, trials: Int = 64,
    threads: Int = 1, site: String? = nil, manifests: String? = nil
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
    self.site = site
    self.manifests = manifests
  }
}
