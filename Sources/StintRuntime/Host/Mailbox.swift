import StintBus
import StintModel

/// Where a demand's batches go: a channel, subscribed to the device that serves it now.
struct Mailbox {
  let demand: Demand
  let channel: BatchChannel
  /// True when a client reads the channel itself; else the host empties it for its observer at once.
  let isReadByClient: Bool
  var provider: Int?
  var subscriber: SubscriberID?
}
