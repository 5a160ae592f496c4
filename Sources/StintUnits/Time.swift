/// A point in time: whole nanoseconds since 1970-01-01T00:00:00Z, without leap seconds.
///
/// The core never reads a clock; its callers pass every instant.
public struct Instant: Hashable, Comparable, Sendable {
  /// Nanoseconds since the epoch.
  public var nanoseconds: Int64

  /// Makes an instant from nanoseconds since the epoch.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The instant 1970-01-01T00:00:00Z.
  public static let epoch = Instant(nanoseconds: 0)
  /// The last representable instant, later than any instant of a run. It represents “never” in comparisons.
  public static let distantFuture = Instant(nanoseconds: .max)

  public static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }

  /// Returns the instant a span later, saturated at the first and last representable instants.
  public static func + (left: Instant, right: TimeSpan) -> Instant {
    Instant(nanoseconds: left.nanoseconds.addingSaturated(right.nanoseconds))
  }
  /// Returns the instant a span earlier, saturated at the first and last representable instants.
  public static func - (left: Instant, right: TimeSpan) -> Instant {
    Instant(nanoseconds: left.nanoseconds.subtractingSaturated(right.nanoseconds))
  }
  /// Returns the span from `right` to `left`, saturated at the longest representable span.
  public static func - (left: Instant, right: Instant) -> TimeSpan {
    TimeSpan(nanoseconds: left.nanoseconds.subtractingSaturated(right.nanoseconds))
  }
}

/// A time span in whole nanoseconds, positive or negative.
///
/// The 64 bits cover 292 years in both directions. Sums, differences and products saturate at these limits
/// instead of trapping, because spans come from policies, manifests and clocks: no input may terminate the
/// process.
public struct TimeSpan: Hashable, Comparable, Sendable {
  /// The length in nanoseconds.
  public var nanoseconds: Int64

  /// Makes a span of whole nanoseconds.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Makes a span from seconds, rounded to the nearest nanosecond; nil when not finite or out of range.
  public init?(seconds: Double) {
    let scaled = (seconds * 1e9).rounded()
    guard let exact = Int64(exactly: scaled) else { return nil }
    self.nanoseconds = exact
  }

  /// A span without length.
  public static let zero = TimeSpan(nanoseconds: 0)
  /// The longest representable span, which means that there is no bound.
  public static let unlimited = TimeSpan(nanoseconds: .max)

  /// Returns a span of milliseconds, saturated.
  public static func milliseconds(_ count: Int64) -> TimeSpan {
    TimeSpan(nanoseconds: 1_000_000) * count
  }
  /// Returns a span of seconds, saturated.
  public static func seconds(_ count: Int64) -> TimeSpan {
    TimeSpan(nanoseconds: 1_000_000_000) * count
  }
  /// Returns a span of minutes, saturated.
  public static func minutes(_ count: Int64) -> TimeSpan { .seconds(60) * count }
  /// Returns a span of hours, saturated.
  public static func hours(_ count: Int64) -> TimeSpan { .seconds(3600) * count }

  /// The length in seconds, for physics and for display. Do not use it in accounts.
  public var seconds: Double { Double(nanoseconds) / 1e9 }

  /// The span rounded to whole seconds, for display.
  package var roundedToSeconds: TimeSpan {
    let (sum, overflows) = nanoseconds.addingReportingOverflow(500_000_000)
    return overflows ? self : .seconds(sum / 1_000_000_000)
  }

  /// Returns the span multiplied by `count`, at most `ceiling`; an overflow also yields `ceiling`.
  public func times(_ count: Int64, capped ceiling: TimeSpan) -> TimeSpan {
    let (product, overflow) = nanoseconds.multipliedReportingOverflow(by: count)
    if overflow { return ceiling }
    return min(TimeSpan(nanoseconds: product), ceiling)
  }

  public static func < (left: TimeSpan, right: TimeSpan) -> Bool { left.nanoseconds < right.nanoseconds }
  /// Returns the sum, saturated at the longest representable span.
  public static func + (left: TimeSpan, right: TimeSpan) -> TimeSpan {
    TimeSpan(nanoseconds: left.nanoseconds.addingSaturated(right.nanoseconds))
  }
  /// Returns the difference, saturated at the longest representable span.
  public static func - (left: TimeSpan, right: TimeSpan) -> TimeSpan {
    TimeSpan(nanoseconds: left.nanoseconds.subtractingSaturated(right.nanoseconds))
  }
  /// Returns the product, saturated at the longest representable span.
  public static func * (left: TimeSpan, right: Int64) -> TimeSpan {
    TimeSpan(nanoseconds: left.nanoseconds.multipliedSaturated(by: right))
  }
  /// Adds a span, saturating at the longest representable span.
  public static func += (left: inout TimeSpan, right: TimeSpan) { left = left + right }
}
