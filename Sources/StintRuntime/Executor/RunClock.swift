public import StintUnits

/// Turns readings of the steady clock into the time of a run, and back: a run can start at any moment and
/// pass faster than real time.
public struct RunClock: Hashable, Sendable {
  /// The run's time at `anchor`.
  public let start: Instant
  public let anchor: MonotonicInstant
  /// Seconds of the run in a second; at least 1.
  public let speed: Int64

  /// Makes a clock that shows `start` when the steady clock shows `anchor`.
  ///
  /// - Precondition: the speed is at least 1.
  public init(start: Instant, anchor: MonotonicInstant, speed: Int64 = 1) {
    precondition(speed >= 1, "time does not stand still or run backwards")
    self.start = start
    self.anchor = anchor
    self.speed = speed
  }

  /// The run's time at a reading.
  public func instant(at reading: MonotonicInstant) -> Instant {
    start + (reading - anchor).times(speed, capped: .unlimited)
  }

  /// The first reading at which the run has reached a moment.
  public func reading(for instant: Instant) -> MonotonicInstant {
    if instant == .distantFuture { return MonotonicInstant(nanoseconds: .max) }
    let span = (instant - start).nanoseconds
    let (quotient, remainder) = span.quotientAndRemainder(dividingBy: speed)
    return anchor + TimeSpan(nanoseconds: remainder > 0 ? quotient + 1 : quotient)
  }
}
