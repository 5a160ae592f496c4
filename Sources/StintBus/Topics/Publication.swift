/// The result of publishing a batch.
public struct Publication: Hashable, Sendable {
  /// The number of subscribers that accepted the batch. Includes subscribers that received only some or none
  /// of the samples, because they requested a longer period.
  public var reached = 0
  /// The number of subscribers that dropped an older batch for the published batch.
  public var displaced = 0
  /// The subscribers whose channels had ended. They are no longer subscribed.
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
