import StintModel
public import StintUnits

extension TopicTable {
  /// The first instant at which gathered samples must be handed over by `wake`; nil while none are gathered.
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

  /// Hands over what has waited for as long as its subscriber lets it.
  ///
  /// - Returns: what became of it; `heldBy` is never set.
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

  /// What a subscriber got until now, how much and how old; nil for one that is not in the table.
  ///
  /// Of one without a pace only its counts are kept.
  public func figures(of id: SubscriberID) -> SubscriberStatistics? {
    for topic in topics {
      guard let subscriber = topic.subscribers.first(where: { $0.id == id }) else { continue }
      return subscriber.figures
    }
    return nil
  }
}

extension TopicTable.Subscriber {
  /// Offers a batch by the subscriber's pace: it may be gathered, or none of it wanted.
  mutating func offer(_ batch: Batch, at instant: Instant?) -> OfferResult {
    let now = instant ?? batch.samples[batch.samples.count - 1].instant
    guard let batch = paced?.machine.ingest(batch, at: now) else {
      return channel.end == nil ? .accepted : .closed
    }
    return pass(batch, at: now)
  }

  /// Hands over whatever is gathered.
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
