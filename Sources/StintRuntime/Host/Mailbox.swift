import StintBus
import StintModel

/// The receiver of a demand's batches: the demand and its channel.
///
/// A receiver is an object, so that the demand, which is large, is not copied for each batch.
final class Receiver: Sendable {
  let demand: Demand
  let channel: BatchChannel
  /// True when a client reads the channel. Otherwise the host reads the channel at once and passes the
  /// batches to its observer. Without an observer, nothing reads the channel.
  let isReadByClient: Bool
  /// How the batches reach the service that raised the demand.
  let service: ServiceDelivery

  init(demand: Demand, channel: BatchChannel, isReadByClient: Bool, service: ServiceDelivery) {
    self.demand = demand
    self.channel = channel
    self.isReadByClient = isReadByClient
    self.service = service
  }
}

/// How the batches of a demand reach its service; unchanged while the demand exists.
enum ServiceDelivery: Sendable {
  /// No service handles the batches.
  case none
  /// The service gets each batch as a separate input.
  case single
  /// Batches that wait for the service may be joined to one batch.
  case joined
}

/// A receiver with its subscription to the device that serves its demand.
struct Mailbox {
  let receiver: Receiver
  /// The index of the device that serves the demand; nil when no device serves the demand.
  var provider: Int?
  /// The subscription to that device. Nil without a device, and when nothing reads the channel.
  var subscriber: SubscriberID?

  var demand: Demand { receiver.demand }
  var channel: BatchChannel { receiver.channel }
  var isReadByClient: Bool { receiver.isReadByClient }
}
