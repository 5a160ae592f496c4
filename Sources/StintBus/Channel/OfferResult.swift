/// The result of offering a batch to a channel.
public enum OfferResult: Hashable, Sendable {
  /// The batch was delivered or queued.
  case accepted
  /// The batch was queued, and an older batch was dropped for it.
  case displaced
  /// The channel is full and its policy is `hold`. The producer keeps the batch.
  case full
  /// The channel is finished or revoked, or its consumer left. The batch will not be read.
  case closed
  /// The producer's task was cancelled before the channel accepted the batch. The producer keeps the batch.
  case cancelled
}
