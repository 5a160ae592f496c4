public import StintUnits

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The machine's clocks. Nothing else reads a clock; everything else is handed an instant.
public enum SystemClock {
  /// The time of day; it can be set, and then it jumps.
  public static func wall() -> Instant { Instant(nanoseconds: read(CLOCK_REALTIME)) }

  /// The steady clock, which goes on while the machine is suspended.
  public static func monotonic() -> MonotonicInstant {
    #if os(Linux) || os(Android)
      MonotonicInstant(nanoseconds: read(CLOCK_BOOTTIME))
    #else
      MonotonicInstant(nanoseconds: read(CLOCK_MONOTONIC))
    #endif
  }

  /// The wall clock and the steady clock, as close together as they can be read.
  public static func both() -> (wall: Instant, steady: MonotonicInstant) {
    var best = (wall: Instant.epoch, steady: MonotonicInstant(nanoseconds: 0), width: TimeSpan.unlimited)
    // A reading during which the thread was put aside says little; the narrowest of a few does.
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

  /// How long the processors have worked for this process; for measuring.
  public static func worked() -> MonotonicInstant {
    MonotonicInstant(nanoseconds: read(CLOCK_PROCESS_CPUTIME_ID))
  }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    let result = clock_gettime(clock, &time)
    precondition(result == 0, "a clock that every system has cannot be read")
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
