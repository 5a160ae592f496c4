/// The result of offering a batch to a channel.
public enum OfferResult: Hashable, Sendable {
  /// The batch was delivered or queued.
  case accepted
  /// The batch was queued, and an older batch was dropped for it.
  case displaced
  /// The channel is finished or revoked, or its consumer left. The batch will not be read.
  case closed
}
