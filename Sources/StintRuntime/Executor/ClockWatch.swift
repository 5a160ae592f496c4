import CStintClock

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A descriptor that becomes readable when the wall clock is set or the machine resumes from suspension.
///
/// It is a kernel timer that never expires and that each change of the clock cancels. An idle daemon so
/// notices a change at once, and is not woken for other reasons. Changes without a cancelled timer, as in
/// tests, are noticed at the next event.
final class ClockWatch: Sendable {
  let descriptor: Int32

  /// Nil when the system does not support such a timer.
  init?() {
    descriptor = stint_clock_watch()
    if descriptor < 0 { return nil }
  }

  deinit { close(descriptor) }

  /// Arms the timer again. Must be called whenever the descriptor is readable.
  func rearm() { stint_clock_rearm(descriptor) }
}
