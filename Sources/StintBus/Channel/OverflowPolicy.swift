/// What a channel does with a batch for which it has no room.
public enum OverflowPolicy: Hashable, Sendable {
  /// Keeps one batch; a newer one takes its place and the older is counted as overflowed.
  case latest
  /// Keeps this many batches; the oldest makes room for the newest and is counted as overflowed.
  case dropOldest(capacity: Int)
  /// Keeps this many batches and loses none: the producer keeps the next one until there is room.
  case hold(capacity: Int)

  /// How many batches may wait for the consumer; at least 1.
  public var capacity: Int {
    switch self {
    case .latest: 1
    case .dropOldest(let capacity), .hold(let capacity): capacity
    }
  }

  /// Whether a batch may be refused because there is no room.
  var mayHold: Bool {
    if case .hold = self { return true }
    return false
  }
}
