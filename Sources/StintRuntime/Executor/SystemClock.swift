import StintSystem
public import StintUnits

/// The clocks of the machine. In this module, only this type reads them.
public enum SystemClock {
  /// Returns the wall-clock time. This time jumps when the clock is set.
  public static func wall() -> Instant { Instant(nanoseconds: read(CLOCK_REALTIME)) }

  /// Returns the monotonic time, which continues while the machine is suspended.
  public static func monotonic() -> MonotonicInstant {
    #if os(Linux) || os(Android)
      MonotonicInstant(nanoseconds: read(CLOCK_BOOTTIME))
    #else
      MonotonicInstant(nanoseconds: read(CLOCK_MONOTONIC))
    #endif
  }

  /// Returns the time for which the machine was suspended since it started; zero where the system does not
  /// report it.
  public static func suspended() -> TimeSpan {
    #if os(Linux) || os(Android)
      TimeSpan(nanoseconds: max(read(CLOCK_BOOTTIME).subtractingSaturated(read(CLOCK_MONOTONIC)), 0))
    #else
      .zero
    #endif
  }

  /// Returns the wall-clock time and the monotonic time, read as close together as possible.
  public static func both() -> (wall: Instant, steady: MonotonicInstant) {
    var best = (wall: Instant.epoch, steady: MonotonicInstant(nanoseconds: 0), width: TimeSpan.unlimited)
    // The thread can be preempted between the calls, so use the pair of readings that took the shortest time.
    for _ in 0..<4 where best.width > .milliseconds(1) {
      let before = monotonic()
      let wall = wall()
      let width = monotonic() - before
      if width < best.width {
        best = (wall, before + TimeSpan(nanoseconds: width.nanoseconds / 2), width)
      }
    }
    return (best.wall, best.steady)
  }

  /// Returns the processor time that this process has used, for measurements. The result is not a time of the
  /// monotonic clock.
  public static func worked() -> MonotonicInstant {
    MonotonicInstant(nanoseconds: read(CLOCK_PROCESS_CPUTIME_ID))
  }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    let result = clock_gettime(clock, &time)
    precondition(result == 0, "cannot read a standard system clock")
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
