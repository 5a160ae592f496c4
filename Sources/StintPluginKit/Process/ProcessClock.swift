import StintUnits

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The time of the run, as a plugin's process tells it: the machine's steady clock, put right once.
struct ProcessClock: Sendable {
  private let offset: Int64

  /// `steady` is what the steady clock showed at `now`.
  init(now: Instant, steady: Int64) { offset = now.nanoseconds &- steady }

  var now: Instant { Instant(nanoseconds: Self.steady &+ offset) }

  /// What the machine's steady clock shows, which goes on while it is suspended.
  static var steady: Int64 {
    var time = timespec()
    #if canImport(Darwin)
      clock_gettime(CLOCK_MONOTONIC, &time)
    #else
      clock_gettime(CLOCK_BOOTTIME, &time)
    #endif
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
