import StintBus
import StintModel

/// The destination of a demand's batches: a channel, subscribed to the device that serves the demand.
struct Mailbox {
  let demand: Demand
  let channel: BatchChannel
  /// True when a client reads the channel. Otherwise the host reads it at once and passes the batches to its
  /// observer.
  let isReadByClient: Bool
  var provider: Int?
  var subscriber: SubscriberID?
}
