/// Why a daemon's main task goes on.
public enum LoopEvent: Hashable, Sendable {
  /// A signal came.
  case signal(Int32)
  /// Watched files changed; a burst of changes is one event.
  case filesChanged([FileChange])
  /// `notifyReady()` was called, once or often.
  case ready
  /// The deadline has passed and nothing else happened.
  case deadline
  /// The task was cancelled; every later wait gives this again.
  case cancelled
}
