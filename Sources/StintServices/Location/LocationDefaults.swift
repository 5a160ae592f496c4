public import StintUnits

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
  public static let lookAnyway = TimeSpan.minutes(15)
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
  static let mostHeld = 8192
}
