import CStintRuntime
import StintSystem

/// A descriptor that becomes readable when the wall clock is set or the machine resumes from suspension.
///
/// The descriptor is a kernel timer that never expires. The kernel cancels the timer at each change of the
/// clock, so an idle daemon notices the change at once and needs no other wake-ups. A change that a test
/// simulates does not cancel the timer; the daemon notices this change at its next event.
final class ClockWatch: Sendable {
  let descriptor: Int32

  /// Creates the timer. Nil when the system does not support such a timer.
  init?() {
    descriptor = stint_clock_watch()
    if descriptor < 0 { return nil }
  }

  deinit { close(descriptor) }

  /// Arms the timer again. Must be called whenever the descriptor is readable.
  func rearm() { stint_clock_rearm(descriptor) }
}
