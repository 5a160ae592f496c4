public import StintModel
public import StintUnits

/// The subscribers of each device. Each device has one topic. The table is a value that the publisher owns.
public struct TopicTable: Sendable {
  struct Subscriber: Sendable {
    var id: SubscriberID
    var channel: BatchChannel
    /// The rate limiter with its statistics; nil for a subscriber that gets all samples immediately.
    var paced: RateLimitedSubscriber?
  }

  struct Topic: Sendable {
    var device: DeviceID
    /// The subscribers in order of subscription.
    var subscribers: [Subscriber] = []
    /// The number of subscribers whose channel can refuse a batch.
    var holders = 0
  }

  /// The topics in order of their first subscription. A topic without subscribers is kept for
  /// later subscribers.
  var topics: [Topic] = []
  private var places: [DeviceID: Int] = [:]
  /// The index of the topic of the last batch. Consecutive batches often come from one device.
  private var recent = 0
  private var nextNumber: Int64 = 1

  /// Creates a table without subscribers.
  public init() {}

  /// Adds a channel to the topic of a device. One channel may subscribe to several devices.
  ///
  /// - Parameter pace: the rate and latency of the subscriber. With nil, the subscriber gets all samples
  ///   immediately, and no statistics of rate and latency are kept.
  /// - Precondition: with a `pace`, the policy of the channel is not `hold`, because gathered samples cannot
  ///   make the producer wait.
  public mutating func subscribe(
    _ channel: BatchChannel, to device: DeviceID, pace: SubscriberRate? = nil
  ) -> SubscriberID {
    precondition(pace == nil || !channel.policy.mayHold, "a subscriber with a rate cannot hold the producer")
    let id = SubscriberID(number: nextNumber)
    nextNumber += 1
    let place = places[device] ?? topics.count
    if place == topics.count {
      places[device] = place
      topics.append(Topic(device: device))
    }
    topics[place].subscribers.append(
      Subscriber(id: id, channel: channel, paced: pace.map { RateLimitedSubscriber($0) }))
    if channel.policy.mayHold { topics[place].holders += 1 }
    return id
  }

  /// Removes a subscriber and returns its channel, which stays open. Delivers gathered samples first. Returns
  /// nil when the subscriber is not in the table.
  @discardableResult
  public mutating func unsubscribe(_ id: SubscriberID) -> BatchChannel? {
    for place in topics.indices {
      guard let index = topics[place].subscribers.firstIndex(where: { $0.id == id }) else { continue }
      var subscriber = topics[place].subscribers.remove(at: index)
      subscriber.flush(.ended, at: nil)
      if subscriber.channel.policy.mayHold { topics[place].holders -= 1 }
      return subscriber.channel
    }
    return nil
  }

  /// Offers a batch to all subscribers of its device, in order of subscription.
  ///
  /// While one channel holds the producer, no subscriber gets the batch. So a repeated publication reaches
  /// each subscriber once. The owner of this table must be the only producer of the channels.
  ///
  /// - Parameter instant: the current time, needed for subscribers with a rate. Default: the instant of the
  ///   last sample.
  public mutating func publish(_ batch: Batch, at instant: Instant? = nil) -> Publication {
    var publication = Publication()
    guard let place = place(of: batch.device) else { return publication }
    let count = topics[place].subscribers.count
    // With several subscribers, check before the first offer that no channel refuses the batch. A single
    // subscriber needs no check, because its own refusal is the result.
    if topics[place].holders > 0, count > 1 {
      for index in 0..<count where topics[place].subscribers[index].channel.isHolding {
        publication.heldBy = topics[place].subscribers[index].id
        return publication
      }
    }
    for index in 0..<count {
      let result =
        topics[place].subscribers[index].paced == nil
        ? topics[place].subscribers[index].channel.offer(batch)
        : topics[place].subscribers[index].offer(batch, at: instant)
      publication.note(result, of: topics[place].subscribers[index].id)
      precondition(result != .full || count == 1, "a channel with free space refused a batch")
    }
    for id in publication.departed { unsubscribe(id) }
    return publication
  }

  private mutating func place(of device: DeviceID) -> Int? {
    if recent < topics.count, topics[recent].device == device { return recent }
    guard let place = places[device] else { return nil }
    recent = place
    return place
  }

  /// Ends all channels of a device and removes its subscribers.
  public mutating func finish(_ device: DeviceID, throwing failure: ClientFailure? = nil) {
    guard let place = places[device] else { return }
    let subscribers = topics[place].subscribers
    topics[place].subscribers = []
    topics[place].holders = 0
    for var subscriber in subscribers {
      subscriber.flush(.ended, at: nil)
      subscriber.channel.finish(throwing: failure)
    }
  }

  /// The devices that have subscribers, in ascending order.
  public var devices: [DeviceID] { topics.filter { !$0.subscribers.isEmpty }.map(\.device).sorted() }

  /// Returns the subscribers of a device in order of subscription.
  public func subscribers(of device: DeviceID) -> [SubscriberID] {
    listeners(of: device).map(\.id)
  }

  /// Returns the batches and samples of a device that were dropped because channels were full.
  public func lost(of device: DeviceID) -> Tally {
    listeners(of: device).reduce(.none) { $0 + $1.channel.lost }
  }

  private func listeners(of device: DeviceID) -> [Subscriber] {
    places[device].map { topics[$0].subscribers } ?? []
  }
}
