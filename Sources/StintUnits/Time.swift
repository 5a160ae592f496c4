/// A moment: whole nanoseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
///
/// The core never reads a clock; every instant is handed to it.
public struct Instant: Hashable, Comparable, Sendable {
  /// Nanoseconds since the epoch.
  public var nanoseconds: Int64

  /// Makes an instant from nanoseconds since the epoch.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  public static let epoch = Instant(nanoseconds: 0)
  /// Later than any moment of a run; what "never" sorts as.
  public static let distantFuture = Instant(nanoseconds: .max)

  public static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }

  /// The instant a span later; stays at the first or last instant that there is instead of overflowing.
  public static func + (left: Instant, right: TimeSpan) -> Instant {
    Instant(nanoseconds: left.nanoseconds.addingSaturated(right.nanoseconds))
  }
  /// The instant a span earlier; stays at the first or last instant that there is instead of overflowing.
  public static func - (left: Instant, right: TimeSpan) -> Instant {
    Instant(nanoseconds: left.nanoseconds.subtractingSaturated(right.nanoseconds))
  }
  /// The span from `right` to `left`; as long as a span can be where they lie further apart.
  public static func - (left: Instant, right: Instant) -> TimeSpan {
    TimeSpan(nanoseconds: left.nanoseconds.subtractingSaturated(right.nanoseconds))
  }
}

/// A length of time in whole nanoseconds, positive or negative.
///
/// Nanoseconds in 64 bits reach 292 years either way. Sums, differences and products stop there instead of trapping,
/// because spans come from policies, manifests and clocks: no number from outside ends the process.
public struct TimeSpan: Hashable, Comparable, Sendable {
  /// The length in nanoseconds.
  public var nanoseconds: Int64

  /// Makes a span of whole nanoseconds.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Makes a span from seconds, rounded to the nearest nanosecond; nil when the value is not finite or out of
  /// range.
  public init?(seconds: Double) {
    let scaled = (seconds * 1e9).rounded()
    guard let exact = Int64(exactly: scaled) else { return nil }
    self.nanoseconds = exact
  }

  public static let zero = TimeSpan(nanoseconds: 0)
  /// A span longer than any run; used where a bound is absent.
  public static let unlimited = TimeSpan(nanoseconds: .max)

  public static func milliseconds(_ count: Int64) -> TimeSpan {
    TimeSpan(nanoseconds: 1_000_000) * count
  }
  public static func seconds(_ count: Int64) -> TimeSpan {
    TimeSpan(nanoseconds: 1_000_000_000) * count
  }
  public static func minutes(_ count: Int64) -> TimeSpan { .seconds(60) * count }
  public static func hours(_ count: Int64) -> TimeSpan { .seconds(3600) * count }

  /// The length in seconds, for physics and for people; never for booking.
  public var seconds: Double { Double(nanoseconds) / 1e9 }

  /// The span a whole number of times, or `ceiling` where the product would be longer or overflow.
  public func times(_ count: Int64, capped ceiling: TimeSpan) -> TimeSpan {
    let (product, overflow) = nanoseconds.multipliedReportingOverflow(by: count)
    if overflow { return ceiling }
    return min(TimeSpan(nanoseconds: product), ceiling)
  }

  public static func < (left: TimeSpan, right: TimeSpan) -> Bool { left.nanoseconds < right.nanoseconds }
  public static func + (left: TimeSpan, right: TimeSpan) -> TimeSpan {
    TimeSpan(nanoseconds: left.nanoseconds.addingSaturated(right.nanoseconds))
  }
  public static func - (left: TimeSpan, right: TimeSpan) -> TimeSpan {
    TimeSpan(nanoseconds: left.nanoseconds.subtractingSaturated(right.nanoseconds))
  }
  public static func * (left: TimeSpan, right: Int64) -> TimeSpan {
    TimeSpan(nanoseconds: left.nanoseconds.multipliedSaturated(by: right))
  }
  public static func += (left: inout TimeSpan, right: TimeSpan) { left = left + right }
}
