import StintUnits

/// How much of the time a position was further off than its bound, and how much more of it may be spent.
///
/// Seconds count where clocks count them: receivers navigate on the full second.
struct MissLedger: Hashable, Sendable {
  /// The share of the time in which the bound may be missed.
  private static let share = 0.05
  /// What is estimated counts by so much more, for what nobody saw.
  private static let caution = 2.0
  /// Seconds that are kept back, for each root of the seconds lived: estimates err, and the shorter they were made the
  /// more.
  private static let reserve = 2.0
  /// How much of what is saved up one wait may spend at most, and seconds.
  private static let spending = 0.09
  private static let longest = 300.0
  /// What is believed of paces before any was seen: so many seconds at so many metres a second.
  private static let prior = (seconds: 300.0, pace: 4.0)

  private(set) var lived = 0.0
  private(set) var missed = 0.0
  /// How far it went, and in how much time.
  private var metres = prior.seconds * prior.pace
  private var span = prior.seconds

  /// Seconds that may be missed yet, below zero when there were too many; `more` seconds have gone since the last
  /// hand-over.
  func spare(_ more: Double) -> Double {
    let all = max(lived + more, 0)
    return Self.share * all - Self.caution * missed - Self.reserve * all.squareRoot()
  }

  /// Seconds of what is spare that a wait at this pace may spend: more where fixes come thicker than they mostly do, for
  /// there each second buys more.
  func spends(_ spare: Double, at pace: Double) -> Double {
    guard spare > 0 else { return 0 }
    return min(spare * min(Self.spending * pace * span / metres, 1), Self.longest)
  }

  mutating func lives(_ seconds: Double) { lived += seconds }

  mutating func moves(_ metres: Double, in seconds: Double) {
    guard seconds > 0 else { return }
    self.metres += metres
    span += seconds
  }

  /// It was too far off from the full second after `start` on, and before `end`.
  mutating func misses(after start: Instant, before end: Instant) {
    count(end.ceilingSecond - start.flooredSecond - 1)
  }

  /// The same, with the second of the start.
  mutating func misses(from start: Instant, before end: Instant) {
    count(end.ceilingSecond - start.ceilingSecond)
  }

  private mutating func count(_ seconds: Int64) { missed += Double(max(seconds, 0)) }
}

extension Instant {
  private static let second: Int64 = 1_000_000_000
  /// Less than this before or after a full second is on it.
  private static let slack: Int64 = 1_000

  /// The last full second, as its number.
  fileprivate var flooredSecond: Int64 { Self.floored(nanoseconds.addingSaturated(Self.slack)) }
  /// The next full second, or this one.
  fileprivate var ceilingSecond: Int64 { -Self.floored(Self.slack.subtractingSaturated(nanoseconds)) }

  /// The next full second, or this one.
  var fullSecond: Instant { Instant(nanoseconds: ceilingSecond.multipliedSaturated(by: Self.second)) }

  private static func floored(_ value: Int64) -> Int64 {
    value / second - (value % second < 0 ? 1 : 0)
  }
}
