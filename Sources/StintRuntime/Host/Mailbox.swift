import StintBus
import StintModel

/// The destination of a demand's batches: a channel, subscribed to the device that serves the demand.
struct Mailbox {
  let demand: Demand
  let channel: BatchChannel
  /// True when a client reads the channel. Otherwise the host reads it at once and passes the batches to its
  /// observer.
  let isReadByClient: Bool
  /// The index of the device that serves the demand; nil when no device serves the demand.
  var provider: Int?
  /// The subscription to that device; nil without a subscription.
  var subscriber: SubscriberID?
}
