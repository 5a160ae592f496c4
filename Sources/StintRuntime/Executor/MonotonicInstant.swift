public import StintUnits

/// A time of the monotonic clock, in nanoseconds since an unspecified start.
///
/// The clock never runs backwards and is never set. It is independent of the time of day.
public struct MonotonicInstant: Hashable, Comparable, Sendable {
  /// Nanoseconds since the start of the clock.
  public var nanoseconds: Int64

  /// Creates a time of the clock.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Compares the times.
  public static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// Returns the time after a time span. Saturates instead of overflowing.
  public static func + (left: MonotonicInstant, right: TimeSpan) -> MonotonicInstant {
    let (sum, overflow) = left.nanoseconds.addingReportingOverflow(right.nanoseconds)
    return MonotonicInstant(nanoseconds: overflow ? .max : sum)
  }

  /// Returns the time span from `right` to `left`.
  public static func - (left: MonotonicInstant, right: MonotonicInstant) -> TimeSpan {
    TimeSpan(nanoseconds: left.nanoseconds - right.nanoseconds)
  }
}
