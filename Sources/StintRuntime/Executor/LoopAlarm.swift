/// A deadline that may change at any time, unlike the deadline of a timer. The loop reads this deadline
/// before each sleep.
///
/// The loop calls `due` after its decision to sleep, so the loop cannot miss a deadline that was set in the
/// meantime. The alarm remains expired until `serve` changes the deadline.
struct LoopAlarm: Sendable {
  /// Identifies an alarm within one loop. Ids are not reused.
  struct ID: Hashable, Sendable {
    var number: UInt64
  }

  /// Returns the deadline; nil for never. The loop's thread may call this closure at any time.
  var due: @Sendable () -> MonotonicInstant?
  /// Called on the loop's thread with the current time after the alarm has expired.
  var serve: @Sendable (MonotonicInstant) -> Void
}
