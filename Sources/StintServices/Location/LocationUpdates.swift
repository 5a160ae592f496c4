public import StintModel
public import StintUnits

/// Asks for standard updates: positions again and again, until the client ends them.
public struct LocationUpdates: ServiceRequest, Hashable {
  /// 95 % radius in metres; nil for the default.
  public var accuracy: Double?
  /// Metres between two deliveries; nil for every fix.
  public var filter: Double?
  /// The time between two fixes; nil for what policies or the device say.
  public var period: TimeSpan?
  /// The greatest age at which a delivered fix counts as current. Older fixes, such as those that were held
  /// back, are flagged as stale.
  public var maxAge: TimeSpan
  public var activity: LocationActivity
  /// Whether they go on in the background; off until a client says otherwise, here or by a command.
  public var background: Bool
  /// Whether they may pause while the position is unlikely to change.
  public var pausing: Bool
  /// When to give up for a while what is not to be had; nil: never.
  public var retry: RetrySchedule?
  /// Whether the client gets no more than it asked for, even where better is known.
  public var fuzz: Bool
  /// Whether what is left open means what the platforms take it for: the best accuracy.
  public var platformDefaults: Bool

  /// Makes a request.
  public init(
    accuracy: Double? = nil, filter: Double? = nil, period: TimeSpan? = nil,
    maxAge: TimeSpan = LocationDefaults.maxAge, activity: LocationActivity = .other, background: Bool = false,
    pausing: Bool = true,
    retry: RetrySchedule? = nil, fuzz: Bool = false, platformDefaults: Bool = false
  ) {
    self.accuracy = accuracy
    self.filter = filter
    self.period = period
    self.maxAge = maxAge
    self.activity = activity
    self.background = background
    self.pausing = pausing
    self.retry = retry
    self.fuzz = fuzz
    self.platformDefaults = platformDefaults
  }

  public var objection: ServiceFailure? {
    if let accuracy, LocationAccuracy(metres: accuracy) == nil {
      return ServiceFailure(.invalid, "no radius is \(accuracy) m; ask for 5 m or more")
    }
    if let filter, !(filter.isFinite && filter >= 0) {
      return ServiceFailure(.invalid, "no distance is \(filter) m; leave the filter out for every fix")
    }
    if let period, period <= .zero {
      return ServiceFailure(.invalid, "no two fixes are \(period) apart; ask for a second or more")
    }
    if maxAge < .zero { return ServiceFailure(.invalid, "a position cannot be younger than now") }
    return retry?.objection.map { ServiceFailure(.invalid, $0) }
  }

  /// The 95 % radius that it means, in metres.
  public var meantAccuracy: Double {
    accuracy ?? (platformDefaults ? LocationDefaults.platformAccuracy : LocationDefaults.accuracy).metres
  }

  /// Whether a device can hold fixes, so that updates can be deferred: a satellite receiver with a log.
  public static func canDefer(_ manifest: Manifest) -> Bool {
    manifest.fifo > 0 && manifest.ladder?.serves.map { $0 <= LocationAccuracy.tenMetres.metres } == true
  }

  public func makeService() -> any Service { LocationStream(self) }
}
