/// What became of an offered batch.
public enum OfferResult: Hashable, Sendable {
  /// It was delivered or waits for the consumer.
  case accepted
  /// It was accepted, and an older batch was lost for it.
  case displaced
  /// There is no room and the policy is to hold: the batch is still the producer's.
  case full
  /// The batch will not be read: the channel was finished, or its consumer left.
  case closed
  /// The producer's task was cancelled while it was held: the batch is still the producer's.
  case cancelled
}
