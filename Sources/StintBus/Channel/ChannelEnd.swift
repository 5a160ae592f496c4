/// The reason for the end of a channel.
public enum ChannelEnd: Hashable, Sendable {
  /// The producer finished the channel, and all batches were read.
  case finished
  /// The producer finished the channel with a failure, and all earlier batches were read.
  case failed(ClientFailure)
  /// The consumer dropped its stream or was cancelled. Queued batches were discarded.
  case abandoned
}
