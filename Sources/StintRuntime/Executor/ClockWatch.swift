import CStintClock

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A descriptor that is readable when the wall clock was set, or the machine woke from suspension.
///
/// It is a timer of the kernel that never fires and that every setting of the clock cancels, so that a daemon with
/// nothing to do hears of it at once and is never woken for anything else. Steps that come without it, such as those of
/// a test, are noticed at the next event.
final class ClockWatch: Sendable {
  let descriptor: Int32

  /// Nil where the system has no such timer.
  init?() {
    descriptor = stint_clock_watch()
    if descriptor < 0 { return nil }
  }

  deinit { close(descriptor) }

  /// Waits for the next time; to be called when the descriptor is readable.
  func rearm() { stint_clock_rearm(descriptor) }
}
