public import StintModel
public import StintUnits

/// The subscribers of each device. There is one topic for each device; the table is a value, owned by the
/// publisher.
public struct TopicTable: Sendable {
  struct Subscriber: Sendable {
    var id: SubscriberID
    var channel: BatchChannel
    /// Nil for one that gets everything as it comes.
    var paced: RateLimitedSubscriber?
  }

  struct Topic: Sendable {
    var device: DeviceID
    /// In the order of subscription.
    var subscribers: [Subscriber] = []
    /// How many of them may refuse a batch.
    var holders = 0
  }

  /// In the order of the first subscription; a topic without subscribers stays for the next one.
  var topics: [Topic] = []
  private var places: [DeviceID: Int] = [:]
  /// The topic of the last batch: a device mostly speaks again.
  private var recent = 0
  private var nextNumber: Int64 = 1

  /// Makes a table without subscribers.
  public init() {}

  /// Adds a channel to a device's topic; a channel may listen to several devices.
  ///
  /// - Parameter pace: how often and how soon the subscriber wants samples; nil for all of them as they come, without
  ///   figures of rate and latency.
  /// - Precondition: a channel with a pace never refuses a batch: its policy is not to hold.
  public mutating func subscribe(
    _ channel: BatchChannel, to device: DeviceID, pace: SubscriberRate? = nil
  ) -> SubscriberID {
    precondition(pace == nil || !channel.policy.mayHold, "who wants fewer samples cannot hold the producer")
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

  /// Takes a subscriber out and hands back its channel, which stays open; nil when it is not in the table.
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

  /// Offers a batch to every subscriber of its device, in the order of subscription.
  ///
  /// All or none: while one subscriber holds its producer, no subscriber gets the batch, so that publishing
  /// it again delivers it to each subscriber once. The channels' only producer must be the owner of this
  /// table.
  ///
  /// - Parameter instant: now; the instant of the last sample when left out. Only subscribers with a pace need it.
  public mutating func publish(_ batch: Batch, at instant: Instant? = nil) -> Publication {
    var publication = Publication()
    guard let place = place(of: batch.device) else { return publication }
    let count = topics[place].subscribers.count
    // One subscriber alone may be asked by offering; of several, each that may refuse is asked before.
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
      precondition(result != .full || count == 1, "a channel with room for its only producer refused a batch")
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

  /// Ends every channel of a device and empties its topic.
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

  /// The devices that have subscribers, sorted.
  public var devices: [DeviceID] { topics.filter { !$0.subscribers.isEmpty }.map(\.device).sorted() }

  /// A device's subscribers in the order of subscription.
  public func subscribers(of device: DeviceID) -> [SubscriberID] {
    listeners(of: device).map(\.id)
  }

  /// What was lost on a device's way to its subscribers, because they were slow.
  public func lost(of device: DeviceID) -> Tally {
    listeners(of: device).reduce(.none) { $0 + $1.channel.lost }
  }

  private func listeners(of device: DeviceID) -> [Subscriber] {
    places[device].map { topics[$0].subscribers } ?? []
  }
}
