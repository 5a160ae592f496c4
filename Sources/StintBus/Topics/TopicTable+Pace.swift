import StintModel
public import StintUnits

extension TopicTable {
  /// The earliest deadline of gathered samples, at which the owner must call `wake`. Nil while no samples are
  /// gathered.
  public var nextDeadline: Instant? {
    var next: Instant?
    for topic in topics {
      for subscriber in topic.subscribers {
        guard let deadline = subscriber.paced?.machine.deadline else { continue }
        next = min(next ?? deadline, deadline)
      }
    }
    return next
  }

  /// Delivers the gathered samples whose deadline has passed.
  ///
  /// - Returns: the result of the deliveries; `heldBy` is always nil.
  @discardableResult
  public mutating func wake(at instant: Instant) -> Publication {
    var publication = Publication()
    for place in topics.indices {
      for index in topics[place].subscribers.indices {
        guard let batch = topics[place].subscribers[index].paced?.machine.wake(at: instant) else { continue }
        let result = topics[place].subscribers[index].pass(batch, at: instant)
        publication.note(result, of: topics[place].subscribers[index].id)
      }
    }
    for id in publication.departed { unsubscribe(id) }
    return publication
  }

  /// Changes the rate of a subscriber from its next sample on. Does nothing for a subscriber that is not in
  /// the table.
  ///
  /// - Precondition: the channel of the subscriber has a policy that never refuses a batch, so not `hold`.
  public mutating func setPace(_ pace: SubscriberRate?, of id: SubscriberID) {
    for place in topics.indices {
      guard let index = topics[place].subscribers.firstIndex(where: { $0.id == id }) else { continue }
      topics[place].subscribers[index].setPace(pace)
      return
    }
  }

  /// Returns the statistics of a subscriber. Returns nil when the subscriber is not in the table.
  ///
  /// For a subscriber without a rate, only `counts` is maintained; all other values stay zero or nil.
  public func figures(of id: SubscriberID) -> SubscriberStatistics? {
    for topic in topics {
      guard let subscriber = topic.subscribers.first(where: { $0.id == id }) else { continue }
      return subscriber.figures
    }
    return nil
  }
}

extension TopicTable.Subscriber {
  mutating func setPace(_ pace: SubscriberRate?) {
    precondition(pace == nil || !channel.policy.mayHold, "a subscriber with a rate cannot hold the producer")
    guard paced != nil || pace != nil else { return }
    let pace = pace ?? .everything
    if paced == nil { paced = RateLimitedSubscriber(pace) } else { paced?.machine.pace = pace }
  }

  /// Offers a batch through the rate limiter, which may gather or thin its samples.
  mutating func offer(_ batch: Batch, at instant: Instant?) -> OfferResult {
    let now = instant ?? batch.samples[batch.samples.count - 1].instant
    guard let batch = paced?.machine.ingest(batch, at: now) else {
      return channel.end == nil ? .accepted : .closed
    }
    return pass(batch, at: now)
  }

  /// Delivers all gathered samples.
  mutating func flush(_ reason: DeliveryReason, at instant: Instant?) {
    guard let batch = paced?.machine.flush(reason) else { return }
    _ = pass(batch, at: instant ?? batch.samples[batch.samples.count - 1].instant)
  }

  mutating func pass(_ batch: Batch, at instant: Instant) -> OfferResult {
    paced?.note(batch, at: instant)
    return channel.offer(batch)
  }

  fileprivate var figures: SubscriberStatistics {
    var between: ClosedRange<Instant>?
    if let first = paced?.first, let last = paced?.last, first <= last { between = first...last }
    return SubscriberStatistics(
      counts: channel.counts, thinned: paced?.machine.thinned ?? 0,
      gathered: paced?.machine.gathered.count ?? 0, longestLatency: paced?.longest ?? .zero,
      totalLatency: paced?.total ?? .zero, delivered: paced?.samples ?? 0, between: between)
  }
}
