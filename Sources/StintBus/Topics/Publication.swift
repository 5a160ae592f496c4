/// What became of a published batch.
public struct Publication: Hashable, Sendable {
  /// How many subscribers accepted it, those included that want fewer samples or later.
  public var reached = 0
  /// How many of them lost an older batch for it.
  public var displaced = 0
  /// The first subscriber that holds the producer. When set, no subscriber got the batch; publish it again.
  public var heldBy: SubscriberID?
  /// Subscribers whose channels had ended; they are no longer in the table.
  public var departed: [SubscriberID] = []

  mutating func note(_ result: OfferResult, of subscriber: SubscriberID) {
    switch result {
    case .accepted: reached += 1
    case .displaced:
      reached += 1
      displaced += 1
    case .closed: departed.append(subscriber)
    case .full: heldBy = subscriber
    case .cancelled: preconditionFailure("an offer that does not wait was cancelled")
    }
  }
}
