import StintUnits

/// The state of a temporal operator.
struct SlotState: Hashable, Sendable {
  /// Latch (a comparison with a `release`): whether it is closed, that is, true. `in last`: whether the
  /// operand was true at the last evaluation.
  var isClosed = false
  /// `for`: the instant since which the operand is true. `in last`: the instant at which the operand was last
  /// true.
  var since: Instant?
  /// `for`: the instant since which the operand is unknown, within the tolerated time.
  var gap: Instant?
  /// Window: the samples in the window.
  var window = SampleWindow(capacity: 0)
}
