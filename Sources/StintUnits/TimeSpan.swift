/// A length of time in whole nanoseconds, positive or negative.
///
/// Nanoseconds in 64 bits reach 292 years. Arithmetic traps on overflow, except `times(_:capped:)`.
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

  public static func milliseconds(_ count: Int64) -> TimeSpan { TimeSpan(nanoseconds: count * 1_000_000) }
  public static func seconds(_ count: Int64) -> TimeSpan { TimeSpan(nanoseconds: count * 1_000_000_000) }
  public static func minutes(_ count: Int64) -> TimeSpan { .seconds(count * 60) }
  public static func hours(_ count: Int64) -> TimeSpan { .seconds(count * 3600) }

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
    TimeSpan(nanoseconds: left.nanoseconds + right.nanoseconds)
  }
  public static func - (left: TimeSpan, right: TimeSpan) -> TimeSpan {
    TimeSpan(nanoseconds: left.nanoseconds - right.nanoseconds)
  }
  public static func * (left: TimeSpan, right: Int64) -> TimeSpan {
    TimeSpan(nanoseconds: left.nanoseconds * right)
  }
  public static func += (left: inout TimeSpan, right: TimeSpan) { left.nanoseconds += right.nanoseconds }
}
