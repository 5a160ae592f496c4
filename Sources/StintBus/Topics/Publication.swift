/// The result of publishing a batch.
public struct Publication: Hashable, Sendable {
  /// The number of subscribers that accepted the batch. Includes subscribers whose rate limiter drops or
  /// gathers samples of the batch.
  public var reached = 0
  /// The number of subscribers that dropped an older batch for this one.
  public var displaced = 0
  /// Subscribers whose channels had ended. They were removed from the table.
  public var departed: [SubscriberID] = []

  mutating func note(_ result: OfferResult, of subscriber: SubscriberID) {
    switch result {
    case .accepted: reached += 1
    case .displaced:
      reached += 1
      displaced += 1
    case .closed: departed.append(subscriber)
    }
  }
}
