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
