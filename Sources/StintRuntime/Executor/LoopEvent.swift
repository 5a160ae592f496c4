/// An event for the main task of a daemon.
public enum LoopEvent: Hashable, Sendable {
  /// The process received a signal.
  case signal(Int32)
  /// Watched files changed. A burst of changes is one event.
  case filesChanged([FileChange])
  /// `notifyReady()` was called at least once.
  case ready
  /// The deadline of `next(until:)` has passed without another event.
  case deadline
  /// The task was cancelled. Every later call of `next(until:)` returns this event again.
  case cancelled
}
