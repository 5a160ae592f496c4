public import StintUnits

/// A conversion between the monotonic clock and the time of a run. A run can start at any instant and run
/// faster than real time.
public struct RunClock: Hashable, Sendable {
  /// The run's time at `anchor`.
  public let start: Instant
  /// The time of the monotonic clock at the start of the run.
  public let anchor: MonotonicInstant
  /// How many times faster than real time the run's time passes; at least 1.
  public let speed: Int64

  /// Creates a clock that shows `start` when the monotonic clock shows `anchor`.
  ///
  /// - Precondition: the speed is at least 1.
  public init(start: Instant, anchor: MonotonicInstant, speed: Int64 = 1) {
    precondition(speed >= 1, "the speed of a run must be at least 1")
    self.start = start
    self.anchor = anchor
    self.speed = speed
  }

  /// Returns the run's time at a time of the monotonic clock.
  public func instant(at reading: MonotonicInstant) -> Instant {
    start + (reading - anchor).times(speed, capped: .unlimited)
  }

  /// Returns the earliest time of the monotonic clock at which the run's time is at least `instant`.
  public func reading(for instant: Instant) -> MonotonicInstant {
    if instant == .distantFuture { return MonotonicInstant(nanoseconds: .max) }
    let span = (instant - start).nanoseconds
    let (quotient, remainder) = span.quotientAndRemainder(dividingBy: speed)
    return anchor + TimeSpan(nanoseconds: remainder > 0 ? quotient + 1 : quotient)
  }
}
