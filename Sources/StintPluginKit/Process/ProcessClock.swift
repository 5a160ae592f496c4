import StintSystem
import StintUnits

/// A clock that computes the host's time in a plugin's process. It adds an offset, which is set once, to the
/// time of the steady clock (CLOCK_BOOTTIME on Linux).
struct ProcessClock: Sendable {
  private let offset: Int64

  /// `steady` is the time of the steady clock at `now`, in nanoseconds.
  init(now: Instant, steady: Int64) { offset = now.nanoseconds &- steady }

  var now: Instant { Instant(nanoseconds: Self.steady &+ offset) }

  /// The time of the steady clock in nanoseconds; it includes the time in which the machine is suspended.
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
