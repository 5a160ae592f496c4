/// The behaviour of a channel that is full.
public enum OverflowPolicy: Hashable, Sendable {
  /// Keeps one batch. A newer batch replaces it, and the replaced batch is counted as overflowed.
  case latest
  /// Keeps up to `capacity` batches. The newest batch displaces the oldest, and the displaced batch is
  /// counted as overflowed.
  case dropOldest(capacity: Int)

  /// The largest number of queued batches; at least 1.
  public var capacity: Int {
    switch self {
    case .latest: 1
    case .dropOldest(let capacity): capacity
    }
  }
}
