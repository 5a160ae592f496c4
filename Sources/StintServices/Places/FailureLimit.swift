import StintUnits

/// Limits the notices of failures with one cause to one in five minutes.
struct FailureLimit: Sendable {
  /// The shortest time between two notices of one cause.
  static let pause = TimeSpan.minutes(5)

  private var told: [String: Instant] = [:]

  /// Whether a failure with this cause may be reported now; then it counts as reported.
  mutating func admits(_ cause: String, at instant: Instant) -> Bool {
    if let last = told[cause], instant - last < Self.pause { return false }
    told[cause] = instant
    return true
  }

  /// When a reported cause may be reported again; nil when it never was.
  func next(_ cause: String) -> Instant? { told[cause].map { $0 + Self.pause } }
}
