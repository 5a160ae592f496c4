public import StintModel
public import StintUnits

/// The subscribers of each device. Each device has one topic. The table is a value that the publisher owns.
public struct TopicTable: Sendable {
  struct Subscriber: Sendable {
    var id: SubscriberID
    var channel: BatchChannel
    /// The least mean time between two samples; nil for a subscriber that gets all samples.
    private(set) var period: TimeSpan?
    private var decimator = Decimator()

    init(id: SubscriberID, channel: BatchChannel, period: TimeSpan?) {
      self.id = id
      self.channel = channel
      self.period = period
    }

    /// Changes the period from the next sample on.
    mutating func setPeriod(_ period: TimeSpan?) {
      if period != self.period { decimator.restart() }
      self.period = period
    }

    /// Offers the samples of a batch that do not come sooner than the period.
    mutating func offer(_ batch: Batch) -> OfferResult {
      guard let period, period > .zero else { return channel.offer(batch) }
      let samples = decimator.pick(batch.samples, every: period)
      guard !samples.isEmpty else { return channel.end == nil ? .accepted : .closed }
      return channel.offer(Batch(device: batch.device, samples: samples, reason: batch.reason))
    }
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
  /// - Parameter period: the least mean time between two samples of the subscriber; single intervals may be
  ///   shorter. Nil for all samples.
  /// - Precondition: with a period, the policy of the channel is not `hold`, because a repeated batch would
  ///   be thinned twice.
  public mutating func subscribe(
    _ channel: BatchChannel, to device: DeviceID, period: TimeSpan? = nil
  ) -> SubscriberID {
    precondition(
      period == nil || !channel.policy.mayHold, "a subscriber with a period cannot hold the producer")
    let id = SubscriberID(number: nextNumber)
    nextNumber += 1
    let place = places[device] ?? topics.count
    if place == topics.count {
      places[device] = place
      topics.append(Topic(device: device))
    }
    topics[place].subscribers.append(Subscriber(id: id, channel: channel, period: period))
    if channel.policy.mayHold { topics[place].holders += 1 }
    return id
  }

  /// Changes the period of a subscriber from its next sample on. Does nothing for a subscriber that is not
  /// in the table.
  ///
  /// - Precondition: as for `subscribe`.
  public mutating func setPeriod(_ period: TimeSpan?, of id: SubscriberID) {
    for place in topics.indices {
      guard let index = topics[place].subscribers.firstIndex(where: { $0.id == id }) else { continue }
      let mayHold = topics[place].subscribers[index].channel.policy.mayHold
      precondition(period == nil || !mayHold, "a subscriber with a period cannot hold the producer")
      topics[place].subscribers[index].setPeriod(period)
      return
    }
  }

  /// Removes a subscriber and returns its channel, which stays open. Returns nil when the subscriber is not
  /// in the table.
  @discardableResult
  public mutating func unsubscribe(_ id: SubscriberID) -> BatchChannel? {
    for place in topics.indices {
      guard let index = topics[place].subscribers.firstIndex(where: { $0.id == id }) else { continue }
      let subscriber = topics[place].subscribers.remove(at: index)
      if subscriber.channel.policy.mayHold { topics[place].holders -= 1 }
      return subscriber.channel
    }
    return nil
  }

  /// Offers a batch to all subscribers of its device, in order of subscription.
  ///
  /// While one channel holds the producer, no subscriber gets the batch. So a repeated publication reaches
  /// each subscriber once. The owner of this table must be the only producer of the channels.
  public mutating func publish(_ batch: Batch) -> Publication {
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
        topics[place].subscribers[index].period == nil
        ? topics[place].subscribers[index].channel.offer(batch)
        : topics[place].subscribers[index].offer(batch)
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
  public mutating func finish(_ device: DeviceID, throwing failure: Problem? = nil) {
    guard let place = places[device] else { return }
    let subscribers = topics[place].subscribers
    topics[place].subscribers = []
    topics[place].holders = 0
    for subscriber in subscribers { subscriber.channel.finish(throwing: failure) }
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
