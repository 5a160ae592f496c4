import StintUnits

/// The error budget compares two numbers of seconds. The first number counts the seconds in which the device
/// was farther from its last delivered position than the bound. The second number is the allowed share of
/// all seconds.
///
/// Only the instants on a full second count, because receivers compute their positions at these instants.
struct ErrorBudget: Hashable, Sendable {
  /// The share of time in which the device may be beyond the bound. The position validity is defined for a
  /// share of 5 %.
  private static let share = 0.05
  // The other constants are fitted: ARCHITECTURE.md, "Estimation".

  /// The weight of a detected miss: a full second in which a fix shows the device beyond the bound. A weight
  /// above 1 also covers misses between two fixes that no fix detects.
  private static let caution = 2.0
  /// The reserve in seconds is this number times the square root of the elapsed seconds. The random error of
  /// a sum grows with that root.
  private static let reserve = 2.0
  /// The spare seconds are the seconds that the device may still be beyond the bound. `spending` is the share
  /// of the spare seconds that one wait for a fix may use at the average pace. `longest` is the largest
  /// number of spare seconds that one wait may use.
  private static let spending = 0.09
  private static let longest = 300.0
  /// The pace assumed before the first movement, in metres per second, and its weight in seconds.
  private static let prior = (seconds: 300.0, pace: 4.0)

  /// The seconds from the first to the last delivery.
  private(set) var elapsed = 0.0
  /// The recorded seconds beyond the bound.
  private(set) var missed = 0.0
  /// The metres travelled (`metres`) and the seconds of travel (`span`), both with the prior.
  private var metres = prior.seconds * prior.pace
  private var span = prior.seconds

  /// Returns how many more seconds the device may be beyond the bound; negative when too many were used.
  ///
  /// - Parameter sinceDelivery: the seconds since the last delivery.
  func spare(_ sinceDelivery: Double) -> Double {
    let all = max(elapsed + sinceDelivery, 0)
    return Self.share * all - Self.caution * missed - Self.reserve * all.squareRoot()
  }

  /// Returns how many of the spare seconds a wait at `pace`, in metres per second, may use.
  ///
  /// At a pace above the average, a wait may use more spare seconds. At such a pace, fixes are closer
  /// together in time, so each spare second avoids more fixes.
  func usableSeconds(_ spare: Double, at pace: Double) -> Double {
    guard spare > 0 else { return 0 }
    return min(spare * min(Self.spending * pace * span / metres, 1), Self.longest)
  }

  /// Adds the seconds between two deliveries.
  mutating func addSeconds(_ seconds: Double) { elapsed += seconds }

  /// Adds a movement to the average pace.
  mutating func noteMotion(_ metres: Double, in seconds: Double) {
    guard seconds > 0 else { return }
    self.metres += metres
    span += seconds
  }

  /// Records the full seconds after `start` and before `end` as misses.
  mutating func misses(after start: Instant, before end: Instant) {
    count(end.ceilingSecond - start.flooredSecond - 1)
  }

  /// Records the full seconds at or after `start` and before `end` as misses.
  mutating func misses(from start: Instant, before end: Instant) {
    count(end.ceilingSecond - start.ceilingSecond)
  }

  private mutating func count(_ seconds: Int64) { missed += Double(max(seconds, 0)) }
}

extension Instant {
  private static let second: Int64 = 1_000_000_000
  /// An instant within this many nanoseconds of a full second counts as that second.
  private static let slack: Int64 = 1_000

  /// The last full second at or before this instant, in seconds since the epoch.
  fileprivate var flooredSecond: Int64 { Self.floored(nanoseconds.addingSaturated(Self.slack)) }
  /// The first full second at or after this instant, in seconds since the epoch.
  fileprivate var ceilingSecond: Int64 { -Self.floored(Self.slack.subtractingSaturated(nanoseconds)) }

  /// The first full second at or after this instant.
  var fullSecond: Instant { Instant(nanoseconds: ceilingSecond.multipliedSaturated(by: Self.second)) }

  private static func floored(_ value: Int64) -> Int64 {
    value / second - (value % second < 0 ? 1 : 0)
  }
}
