public import StintModel

/// Who listens to which device. One topic a device; a value, owned by whoever publishes.
public struct TopicTable: Sendable {
  private struct Subscriber: Sendable {
    var id: SubscriberID
    var channel: BatchChannel
  }

  /// In the order of subscription; a topic without subscribers is absent.
  private var subscribers: [DeviceID: [Subscriber]] = [:]
  private var nextNumber: Int64 = 1

  /// Makes a table in which nobody listens.
  public init() {}

  /// Adds a channel to a device's topic; a channel may listen to several devices.
  public mutating func subscribe(_ channel: BatchChannel, to device: DeviceID) -> SubscriberID {
    let id = SubscriberID(number: nextNumber)
    nextNumber += 1
    subscribers[device, default: []].append(Subscriber(id: id, channel: channel))
    return id
  }

  /// Takes a subscriber out and hands back its channel, which stays open; nil when it is not in the table.
  @discardableResult
  public mutating func unsubscribe(_ id: SubscriberID) -> BatchChannel? {
    for device in devices {
      guard let index = subscribers[device]?.firstIndex(where: { $0.id == id }) else { continue }
      let subscriber = subscribers[device]?.remove(at: index)
      if subscribers[device]?.isEmpty == true { subscribers[device] = nil }
      return subscriber?.channel
    }
    return nil
  }

  /// Offers a batch to every subscriber of its device, in the order of subscription.
  ///
  /// All or none: while one subscriber holds its producer, nobody gets the batch, so that publishing it again
  /// delivers it to each subscriber once. The channels' only producer must be the owner of this table.
  public mutating func publish(_ batch: Batch) -> Publication {
    var publication = Publication()
    guard let listeners = subscribers[batch.device] else { return publication }
    for listener in listeners where !listener.channel.hasRoom && listener.channel.end == nil {
      publication.heldBy = listener.id
      return publication
    }
    for listener in listeners {
      switch listener.channel.offer(batch) {
      case .accepted: publication.reached += 1
      case .displaced:
        publication.reached += 1
        publication.displaced += 1
      case .closed: publication.departed.append(listener.id)
      case .full, .cancelled: preconditionFailure("a channel with room for its only producer refused a batch")
      }
    }
    for id in publication.departed { unsubscribe(id) }
    return publication
  }

  /// Ends every channel of a device and empties its topic.
  public mutating func finish(_ device: DeviceID, throwing failure: ClientFailure? = nil) {
    for subscriber in subscribers.removeValue(forKey: device) ?? [] {
      subscriber.channel.finish(throwing: failure)
    }
  }

  /// The devices to which somebody listens, sorted.
  public var devices: [DeviceID] { subscribers.keys.sorted() }

  /// A device's subscribers in the order of subscription.
  public func subscribers(of device: DeviceID) -> [SubscriberID] {
    (subscribers[device] ?? []).map(\.id)
  }

  /// What was lost on a device's way to its subscribers, because they were slow.
  public func lost(of device: DeviceID) -> Tally {
    (subscribers[device] ?? []).reduce(.none) { $0 + $1.channel.lost }
  }
}
