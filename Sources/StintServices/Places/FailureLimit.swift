import StintUnits

/// Lets a failure of one cause be told once in five minutes, so that nobody is flooded by what goes on failing.
struct FailureLimit: Sendable {
  /// The shortest time between two notices of one cause.
  static let pause = TimeSpan.minutes(5)

  private var told: [String: Instant] = [:]

  /// Whether this cause may be told now; then it counts as told.
  mutating func admits(_ cause: String, at instant: Instant) -> Bool {
    if let last = told[cause], instant - last < Self.pause { return false }
    told[cause] = instant
    return true
  }

  /// When a cause that was told may be told again; nil when it never was.
  func next(_ cause: String) -> Instant? { told[cause].map { $0 + Self.pause } }
}
