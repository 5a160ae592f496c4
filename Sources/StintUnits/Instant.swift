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
