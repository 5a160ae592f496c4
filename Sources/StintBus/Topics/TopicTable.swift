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

    /// Offers the samples of a batch to the channel, without the samples that are too early for the period.
    mutating func offer(_ batch: Batch) -> OfferResult {
      guard let period, period > .zero else { return channel.offer(batch) }
      let samples = decimator.pick(batch.samples, every: period)
      guard !samples.isEmpty else { return channel.end == nil ? .accepted : .closed }
      return channel.offer(
        Batch(device: batch.device, samples: samples, reason: batch.reason, wide: batch.wide))
    }
  }

  struct Topic: Sendable {
    var device: DeviceID
    /// The subscribers in order of subscription.
    var subscribers: [Subscriber] = []
  }

  /// The topics in order of their first subscription. A topic without subscribers remains in the list for
  /// later subscribers.
  var topics: [Topic] = []
  private var places: [DeviceID: Int] = [:]
  /// The index in `topics` of the topic of the last batch. Consecutive batches often come from one device.
  private var recent = 0
  private var nextNumber: Int64 = 1

  /// Creates a table without subscribers.
  public init() {}

  /// Adds a channel to the topic of a device. One channel may subscribe to several devices.
  ///
  /// - Parameter period: the requested mean time between two samples of the subscriber. Single intervals may
  ///   be shorter; the mean is at least 7/8 of this time. Nil for all samples.
  public mutating func subscribe(
    _ channel: BatchChannel, to device: DeviceID, period: TimeSpan? = nil
  ) -> SubscriberID {
    let id = SubscriberID(number: nextNumber)
    nextNumber += 1
    let place = places[device] ?? topics.count
    if place == topics.count {
      places[device] = place
      topics.append(Topic(device: device))
    }
    topics[place].subscribers.append(Subscriber(id: id, channel: channel, period: period))
    return id
  }

  /// Changes the period of a subscriber from its next sample on. Does nothing for a subscriber that is not in
  /// the table.
  public mutating func setPeriod(_ period: TimeSpan?, of id: SubscriberID) {
    for place in topics.indices {
      guard let index = topics[place].subscribers.firstIndex(where: { $0.id == id }) else { continue }
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
      return topics[place].subscribers.remove(at: index).channel
    }
    return nil
  }

  /// Offers a batch to all subscribers of its device, in order of subscription.
  @discardableResult
  public mutating func publish(_ batch: Batch) -> Publication {
    var publication = Publication()
    guard let place = place(of: batch.device) else { return publication }
    for index in topics[place].subscribers.indices {
      let result =
        topics[place].subscribers[index].period == nil
        ? topics[place].subscribers[index].channel.offer(batch)
        : topics[place].subscribers[index].offer(batch)
      publication.note(result, of: topics[place].subscribers[index].id)
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
    for subscriber in subscribers { subscriber.channel.finish(throwing: failure) }
  }

  /// The devices that have subscribers, in ascending order.
  public var devices: [DeviceID] { topics.filter { !$0.subscribers.isEmpty }.map(\.device).sorted() }

  /// Returns the subscribers of a device in order of subscription.
  public func subscribers(of device: DeviceID) -> [SubscriberID] {
    listeners(of: device).map(\.id)
  }

  /// Returns the numbers of batches and samples that were dropped because a channel was full. Only the
  /// current subscribers of the device count.
  public func lost(of device: DeviceID) -> Tally {
    listeners(of: device).reduce(.none) { $0 + $1.channel.lost }
  }

  private func listeners(of device: DeviceID) -> [Subscriber] {
    places[device].map { topics[$0].subscribers } ?? []
  }
}
