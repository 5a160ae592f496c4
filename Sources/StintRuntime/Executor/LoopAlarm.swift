/// A deadline that the loop reads each time before it sleeps, in place of a timer that was set once.
///
/// The loop asks for `due` after it has decided to sleep, so a deadline that is there cannot be missed, whatever
/// happened between setting it and waiting for it. An alarm stays due until `serve` has changed that.
struct LoopAlarm: Sendable {
  /// Names an alarm of one loop; never reused.
  struct ID: Hashable, Sendable {
    var number: UInt64
  }

  /// When the alarm expires; nil for never. May be asked on the loop's thread at any time.
  var due: @Sendable () -> MonotonicInstant?
  /// Called on the loop's thread with the reading of the clock, once the alarm has expired.
  var serve: @Sendable (MonotonicInstant) -> Void
}
