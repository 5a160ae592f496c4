public import StintModel
public import StintUnits

/// A request for continuous location updates until the client ends them.
///
/// A setting that is nil has the value of the policies' `default` for the positioning device. Without such a
/// default, the setting has the fallback that is named in its documentation.
public struct LocationUpdates: NamedRequest {
  public typealias Message = LocationChanges

  /// The 95 % radius, above 0 m. Fallback: 100 m.
  public var accuracy: Length?
  /// The least distance between two deliveries. Fallback: every fix is delivered.
  public var filter: Length?
  /// The time between two fixes. For a radius of 1 km or more, the fallback is a minute. For a smaller
  /// radius, it is the default of the device.
  public var period: Duration?
  /// The largest age at which a delivered fix counts as current. Older fixes, such as deferred fixes, are
  /// flagged as stale.
  public var maxAge: Duration
  /// The user's activity, which determines when updates may pause. Fallback: `other`.
  public var activity: LocationActivity?
  /// Whether updates continue in the background; a command can change this setting. Fallback: false.
  public var background: Bool?
  /// Whether updates may pause while the position is unlikely to change. Fallback: true.
  public var pausing: Bool?
  /// When to suspend updates that get no good fix; nil to never suspend them.
  public var retry: RetrySchedule?
  /// Whether positions are coarsened to the requested accuracy, even when more accurate positions are known.
  public var fuzz: Bool
  /// True to request the best accuracy when `accuracy` is nil, as phone platforms do by default.
  public var platformDefaults: Bool

  /// Makes a request.
  public init(
    accuracy: Length? = nil, filter: Length? = nil, period: Duration? = nil,
    maxAge: Duration = LocationDefaults.maxAge, activity: LocationActivity? = nil,
    background: Bool? = nil, pausing: Bool? = nil, retry: RetrySchedule? = nil, fuzz: Bool = false,
    platformDefaults: Bool = false
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
    if let failure = ServiceFailure(accuracy, "the accuracy", .accuracy) { return failure }
    if let failure = ServiceFailure(filter, "the filter", .distance) { return failure }
    if let failure = ServiceFailure(period, "the period", .period) { return failure }
    if let failure = ServiceFailure(maxAge, "the maximum age", .delay) { return failure }
    return retry?.rejectionReason.map { ServiceFailure(.invalid, $0) }
  }

  /// The effective 95 % radius of the request, in metres.
  public var meantAccuracy: Double {
    accuracy?.meters
      ?? (platformDefaults ? LocationDefaults.platformAccuracy : LocationDefaults.accuracy).metres
  }

  /// Returns whether a device can hold fixes, so that updates can be deferred. Only satellite receivers with
  /// a log can hold fixes.
  public static func canDefer(_ manifest: Manifest) -> Bool {
    manifest.fifo > 0 && manifest.ladder?.serves.map { $0 <= LocationAccuracy.tenMetres.metres } == true
  }

  /// Returns whether an available device can hold fixes.
  static func canDefer(_ context: ServiceContext) -> Bool {
    context.roles.devices(.positioning).contains { device in
      context.isAvailable(device) && context.manifest(device).map(canDefer) == true
    }
  }

  public var needsBackground: Bool { background == true }

  public func makeService() -> any Service { LocationStream(self) }

  /// Returns a copy of the request in which the policies' defaults for a device replace the settings that are
  /// nil. An app that does not declare background use is not served in the background.
  func completed(for device: DeviceID?, _ context: ServiceContext) -> LocationUpdates {
    let defaults = device.flatMap { context.defaults(of: $0)?.wants } ?? DemandSettings()
    var copy = self
    copy.accuracy = accuracy ?? defaults.accuracy.map(Length.meters)
    copy.period = period ?? defaults.period?.duration
    copy.activity = activity ?? defaults.activity.flatMap(LocationActivity.init(word:))
    copy.background = context.isServedInBackground(background, on: device)
    copy.pausing = pausing ?? defaults.pausing
    return copy
  }

  var isServedInBackground: Bool { background ?? false }
  var mayPause: Bool { pausing ?? true }
  /// The activity of the request; `other` when the request contains no activity.
  public var meantActivity: LocationActivity { activity ?? .other }
}

extension LocationUpdates {
  public static let kind = "updates"

  enum CodingKeys: String, CodingKey, CaseIterable {
    case accuracy, rate, filter, activity, background, pause
  }

  public init(from decoder: any Decoder) throws {
    let settings = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      accuracy: try settings.optional(LengthForm.self, .accuracy),
      filter: try settings.optional(LengthForm.self, .filter),
      period: try settings.optional(RateForm.self, .rate)?.duration,
      activity: try settings.optional(LocationActivity.Form.self, .activity),
      background: try settings.optional(Bool.self, .background),
      pausing: try settings.optional(Bool.self, .pause))
  }
}

/// The accuracy steps. Larger values are cheaper; the raw value is the 95 % radius in metres.
public enum LocationAccuracy: Int, Hashable, Sendable, CaseIterable, Comparable {
  case best = 5
  case tenMetres = 10
  case hundredMetres = 100
  case kilometre = 1000
  case threeKilometres = 3000

  /// Makes the step for a 95 % radius in metres. Between two steps, selects the more accurate step. Nil when
  /// the radius is invalid.
  public init?(metres: Double) {
    guard metres.isFinite, metres > 0 else { return nil }
    self = Self.allCases.last { Double($0.rawValue) <= metres } ?? .best
  }

  /// The 95 % radius of the step, in metres.
  public var metres: Double { Double(rawValue) }

  /// Whether only a satellite receiver can provide this accuracy.
  public var needsReceiver: Bool { self <= .tenMetres }

  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The user's activity according to the client; it determines when updates may pause.
public enum LocationActivity: String, Hashable, Sendable, CaseIterable {
  /// An unknown activity; the default.
  case other
  /// Navigation in a car.
  case automotive
  /// Any activity on foot.
  case fitness
  /// Navigation in boats, trains and planes; not for pedestrians.
  case otherNavigation
  /// Any activity in the air.
  case airborne

  /// Returns the activity with this word; nil for other words, which a device may support.
  init?(word: String) {
    guard let activity = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = activity
  }

  /// The word for this activity in the attribute `activity` of devices.
  public var word: String { self == .otherNavigation ? "navigation" : rawValue }

  /// The activity in files and messages.
  struct Form: RequestForm {
    let value: LocationActivity

    init(from decoder: any Decoder) throws {
      let word = try decoder.singleValueContainer().decode(String.self)
      guard let activity = allCases.first(where: { $0.word == word }) else {
        let words = allCases.map(\.word).joined(separator: ", ")
        throw Problem(.unknownName, cause: "unknown activity “\(word)”", remedy: "use \(words)")
      }
      value = activity
    }
  }
}

/// The constants of the location services.
public enum LocationDefaults {
  /// The accuracy for clients that specify none. Phone platforms use another default, `platformAccuracy`,
  /// which costs the most energy.
  public static let accuracy = LocationAccuracy.hundredMetres
  /// The accuracy for clients that use the platforms' defaults and specify no accuracy.
  public static let platformAccuracy = LocationAccuracy.best
  /// The default timeout of a request for one fix.
  public static let timeout = Duration.seconds(60)

  /// The default of `maxAge`: the largest age at which a delivered position counts as current.
  public static let maxAge = Duration.seconds(10)

  /// The default period at accuracies of a kilometre or coarser; coarse positions need no short period.
  package static let coarsePeriod = TimeSpan.minutes(1)
  /// The time for which a fix with the requested accuracy suppresses poorer fixes, in periods between fixes.
  static let periodsOfGood: Int64 = 10

  // MARK: Pausing

  /// Returns the pause rule of an activity.
  package static func pauseRule(for activity: LocationActivity) -> PauseRule {
    switch activity {
    case .other: PauseRule(window: .minutes(10), reach: 50)
    // In a car, even very slow movement is driving.
    case .automotive: PauseRule(window: .minutes(15), reach: 0)
    case .fitness: PauseRule(window: .minutes(3), reach: 30)
    // A boat at anchor swings, and a train waits at platforms.
    case .otherNavigation, .airborne: PauseRule(window: .minutes(10), reach: 200)
    }
  }

  /// The period of position probes during a pause while the host moves or no device reports movement. A
  /// pedestrian (1.4 m/s) walks 63 m in this time.
  package static let movingProbePeriod = TimeSpan.seconds(45)
  /// The longest time between two position probes during a pause, independent of the sensors' reports.
  package static let longestUncheckedPause = TimeSpan.minutes(15)
  /// The longest duration of a position probe during a pause: the time to a cold first fix, plus a margin.
  package static let longestProbe = TimeSpan.seconds(60)
  /// The sampling period of the accelerometer that detects movement.
  package static let motionPeriod = TimeSpan.milliseconds(200)
  /// How long the accelerometer may hold its samples while it detects movement.
  package static let motionLatency = TimeSpan.minutes(1)
  /// How long fixes that are poorer than requested may be withheld after a pause.
  package static let settling = TimeSpan.seconds(30)

  // MARK: Suspending

  /// The time span of the accuracy trend.
  package static let trendSpan = TimeSpan.seconds(90)
  /// The decrease of the radius over `trendSpan` that counts as an improvement, in metres.
  public static let improvement = 5.0
  /// The shortest time for which a good fix is fresh; it applies to streams with short periods. An attempt
  /// whose accuracy improves is extended by this time.
  package static let fixAge = TimeSpan.seconds(10)

  // MARK: Deferral

  /// The upper limit for the time of a deferral, and the latency of a deferred demand.
  static let longestHold = TimeSpan.hours(24 * 366)
  /// The largest number of fixes that a stream holds: 2 h 16 min at one fix per second. At this number, a
  /// deferral ends as `full`.
  static let maxHeld = 8192
}

/// A rule for pausing updates. Updates may pause when, during the whole window, the position stayed within
/// `reach` of the first position in the window.
package struct PauseRule: Hashable, Sendable {
  /// The length of the window.
  package var window: TimeSpan
  /// The reach in metres; 0 allows only the noise of the fixes.
  package var reach: Double

  /// Makes a rule.
  package init(window: TimeSpan, reach: Double) {
    self.window = window
    self.reach = reach
  }
}
