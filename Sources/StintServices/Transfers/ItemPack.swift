import StintModel
import StintUnits

/// Fetches items by the pack and hands them out one by one. An empty pack is refilled at once, because its
/// client waits.
struct ItemPack: Service {
  private static let radio: DeviceID = "radio.cellular"
  private let request: PackRequest
  private var left = 0
  private var next = 0
  private var fetchedAt = Instant.epoch
  private var waiting = 0
  private var demand: DemandID?

  init(_ request: PackRequest) { self.request = request }

  mutating func begin(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {}

  mutating func take(_ event: ServiceEvent, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    switch event {
    case .command(_ as ShowItem):
      waiting += 1
      hand(context, &outbox)
    case .carried(demand):
      left = request.items
      fetchedAt = context.instant
      hand(context, &outbox)
    case .ended(demand):
      demand = nil
      hand(context, &outbox)
    default: break
    }
  }

  private mutating func hand(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    if left > 0, context.instant - fetchedAt > request.lifetime {
      outbox.tell(PackNotice.expired(left))
      next = next.addingSaturated(left)
      left = 0
    }
    while waiting > 0, left > 0 {
      outbox.tell(PackNotice.show(next))
      next = next.addingSaturated(1)
      left -= 1
      waiting -= 1
    }
    guard waiting > 0, demand == nil else { return }
    let bytes = request.itemBytes * Int64(request.items)
    demand = outbox.raise(
      Self.radio, Wants(transfer: Transfer(bytesUp: 0, bytesDown: bytes, deadline: .zero)))
  }
}
