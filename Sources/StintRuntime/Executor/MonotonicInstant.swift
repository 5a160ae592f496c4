public import StintUnits

/// A reading of the steady clock: whole nanoseconds since a start that only this machine knows.
///
/// It never goes back and is never set; it says nothing about the time of day.
public struct MonotonicInstant: Hashable, Comparable, Sendable {
  public var nanoseconds: Int64

  /// Makes a reading.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  public static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// The reading a span later; stays at the last one instead of overflowing.
  public static func + (left: MonotonicInstant, right: TimeSpan) -> MonotonicInstant {
    let (sum, overflow) = left.nanoseconds.addingReportingOverflow(right.nanoseconds)
    return MonotonicInstant(nanoseconds: overflow ? .max : sum)
  }

  /// The span from `right` to `left`.
  public static func - (left: MonotonicInstant, right: MonotonicInstant) -> TimeSpan {
    TimeSpan(nanoseconds: left.nanoseconds - right.nanoseconds)
  }
}
