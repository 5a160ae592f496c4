public import StintUnits

/// The reason for the end of a channel.
public enum ChannelEnd: Hashable, Sendable {
  /// The producer finished the channel, and all batches were read.
  case finished
  /// The producer ended the channel with a failure. After `finish`, the consumer has read the queued batches.
  /// After `revoke`, the queued batches were discarded.
  ///
  /// The case is indirect, so that a copy of a read's result does not copy a `Problem`.
  indirect case failed(Problem)
  /// The consumer dropped its stream or was cancelled. Queued batches were discarded.
  case abandoned
}
