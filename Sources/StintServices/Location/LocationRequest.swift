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

  public var rejectionReason: ServiceFailure? {
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
    return retry?.rejectionReason.map { ServiceFailure(.invalid, $0) }
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

/// The ladder of accuracies: larger is cheaper.
public enum LocationAccuracy: Int, Hashable, Sendable, CaseIterable, Comparable {
  case best = 5
  case tenMetres = 10
  case hundredMetres = 100
  case kilometre = 1000
  case threeKilometres = 3000

  /// The rung for a 95 % radius in metres: between two rungs the finer; nil where no radius can be meant.
  public init?(metres: Double) {
    guard metres.isFinite, metres > 0 else { return nil }
    self = Self.allCases.last { Double($0.rawValue) <= metres } ?? .best
  }

  public var metres: Double { Double(rawValue) }

  /// Whether only a satellite receiver answers for it.
  public var needsReceiver: Bool { self <= .tenMetres }

  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// What a client says that its user does; it decides when updates may pause.
public enum LocationActivity: String, Hashable, Sendable, CaseIterable {
  /// The kind of movement is unknown; the default.
  case other
  /// Guidance in a car.
  case automotive
  /// Anything on foot.
  case fitness
  /// Guidance in boats, trains and planes; not for pedestrians.
  case otherNavigation
  case airborne

  /// The word of the devices' `activity` attribute.
  public var word: String { self == .otherNavigation ? "navigation" : rawValue }
}

/// Every figure of the location services that is ours to choose; nothing else in them is a number.
public enum LocationDefaults {
  /// What a client gets that names no accuracy. On the platforms that is the best, and the dearest.
  public static let accuracy = LocationAccuracy.hundredMetres
  /// The same where a client asks for the platforms' defaults.
  public static let platformAccuracy = LocationAccuracy.best
  /// How long a request for one fix waits when it does not say.
  public static let timeout = TimeSpan.seconds(60)

  /// The default of `maxAge`: the greatest age at which a delivered position counts as current.
  public static let maxAge = TimeSpan.seconds(10)

  /// The default period of positions with an accuracy of a kilometre or more; coarse positions need no short
  /// period.
  public static let coarsePeriod = TimeSpan.minutes(1)
  /// For how many periods a lookup that was as good as asked stands in for poorer ones after it.
  static let periodsOfGood: Int64 = 10

  // MARK: Pausing

  /// When updates of an activity pause.
  public static func pauseRule(for activity: LocationActivity) -> PauseRule {
    switch activity {
    case .other: PauseRule(window: .minutes(10), reach: 50)
    // In a car even creeping is driving.
    case .automotive: PauseRule(window: .minutes(15), reach: 0)
    case .fitness: PauseRule(window: .minutes(3), reach: 30)
    // A boat swings at its anchor, a train waits at a platform.
    case .otherNavigation, .airborne: PauseRule(window: .minutes(10), reach: 200)
    }
  }

  /// How often a paused client's position is looked at while something moves, or while nothing tells of movement:
  /// at 1.4 m/s that is 63 m.
  public static let lookWhileMoving = TimeSpan.seconds(45)
  /// How often it is looked at whatever the cheap sensors say, so that no pause lasts for ever.
  public static let longestUncheckedPause = TimeSpan.minutes(15)
  /// How long such a look may take: a cold first fix and some.
  public static let longestLook = TimeSpan.seconds(60)
  /// How fast the accelerometer watches for movement, and how long it keeps its samples to itself meanwhile.
  public static let motionPeriod = TimeSpan.milliseconds(200)
  public static let motionLatency = TimeSpan.minutes(1)
  /// How long the first fixes after a pause may be withheld for being poorer than asked.
  public static let settling = TimeSpan.seconds(30)

  // MARK: Giving up

  /// The span over which accuracies are compared.
  public static let trendSpan = TimeSpan.seconds(90)
  /// What an accuracy must gain over that span, in metres, to count as improving.
  public static let improvement = 5.0
  /// When the last good fix is too old to count, for streams of one fix a second.
  public static let fixAge = TimeSpan.seconds(10)

  // MARK: Deferral

  /// Longer than any deferral lasts.
  static let longestHold = TimeSpan.hours(24 * 366)
  /// How many fixes a stream holds back itself: 2 h 16 min of one a second. A deferral ends there, as `full`.
  static let maxHeld = 8192
}

/// When updates pause: all through a window of time the position stayed within reach of where it was at its start.
public struct PauseRule: Hashable, Sendable {
  public var window: TimeSpan
  /// Metres; 0: nothing beyond the noise of the fixes counts as staying.
  public var reach: Double

  /// Makes a rule.
  public init(window: TimeSpan, reach: Double) {
    self.window = window
    self.reach = reach
  }
}
