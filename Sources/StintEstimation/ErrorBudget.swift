import StintUnits

/// The error budget counts seconds beyond the bound against the share of time in which that is allowed.
///
/// Only full seconds of the clock count, because receivers compute their positions on the full second.
struct ErrorBudget: Hashable, Sendable {
  /// The share of the time in which the bound may be missed: the definition of validity, 95 of 100 seconds.
  private static let share = 0.05
  // The others are fitted: ARCHITECTURE.md, "Estimation".

  /// The factor by which estimated misses count, for misses between fixes that no fix shows.
  private static let caution = 2.0
  /// Seconds kept back for each square root of the seconds lived: the error of a mean falls with the root of its number.
  private static let reserve = 2.0
  /// The largest share of the spare seconds that one wait spends, and the most seconds.
  private static let spending = 0.09
  private static let longest = 300.0
  /// The speed that is assumed before any was seen, and the seconds for which it counts.
  private static let prior = (seconds: 300.0, pace: 4.0)

  private(set) var lived = 0.0
  private(set) var missed = 0.0
  /// Metres travelled, and the seconds they took.
  private var metres = prior.seconds * prior.pace
  private var span = prior.seconds

  /// Seconds that may still be missed, below zero when too many were.
  ///
  /// - Parameter more: the seconds since the last delivery.
  func spare(_ more: Double) -> Double {
    let all = max(lived + more, 0)
    return Self.share * all - Self.caution * missed - Self.reserve * all.squareRoot()
  }

  /// The spare seconds that a wait at this pace may spend.
  ///
  /// They are more where fixes follow each other more closely than on average: there each second saves more energy.
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

  /// Counts the full seconds after `start` and before `end` as missed.
  mutating func misses(after start: Instant, before end: Instant) {
    count(end.ceilingSecond - start.flooredSecond - 1)
  }

  /// Counts the full seconds from `start` on and before `end` as missed.
  mutating func misses(from start: Instant, before end: Instant) {
    count(end.ceilingSecond - start.ceilingSecond)
  }

  private mutating func count(_ seconds: Int64) { missed += Double(max(seconds, 0)) }
}

extension Instant {
  private static let second: Int64 = 1_000_000_000
  /// An instant closer than this to a full second, in nanoseconds, is on it.
  private static let slack: Int64 = 1_000

  /// The number of the last full second.
  fileprivate var flooredSecond: Int64 { Self.floored(nanoseconds.addingSaturated(Self.slack)) }
  /// The number of the next full second, or of this one.
  fileprivate var ceilingSecond: Int64 { -Self.floored(Self.slack.subtractingSaturated(nanoseconds)) }

  /// The next full second, or this one.
  var fullSecond: Instant { Instant(nanoseconds: ceilingSecond.multipliedSaturated(by: Self.second)) }

  private static func floored(_ value: Int64) -> Int64 {
    value / second - (value % second < 0 ? 1 : 0)
  }
}
