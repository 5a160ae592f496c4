/// How a channel came to its end.
public enum ChannelEnd: Hashable, Sendable {
  /// The producer finished it and everything in it was taken.
  case finished
  /// The producer finished it with a failure and everything before that was taken.
  case failed(ClientFailure)
  /// The consumer dropped its stream or was cancelled; what still waited was discarded.
  case abandoned
}
