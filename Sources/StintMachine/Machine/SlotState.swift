import StintUnits

/// The state of a temporal operator.
struct SlotState: Hashable, Sendable {
  /// Latch: whether it is closed. In last: whether the operand was true when last looked at.
  var isClosed = false
  /// Held for: since when the operand is true. In last: when it was true last.
  var since: Instant?
  /// Held for: since when the operand is unknown, within what is tolerated.
  var gap: Instant?
  /// Window: the values that it keeps.
  var window = SampleWindow(capacity: 0)
}
