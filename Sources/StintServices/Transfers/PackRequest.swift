import StintModel
public import StintUnits

/// A request for small items, such as ads, tips or pictures. They are fetched in packs and shown one by one.
public struct PackRequest: ServiceRequest, Hashable {
  /// The number of items per fetch.
  public var items: Int
  /// The size of one item in bytes.
  public var itemBytes: Int64
  /// How long an item may be shown after it was fetched.
  public var lifetime: Duration

  /// Makes a request.
  public init(items: Int, itemBytes: Int64, lifetime: Duration = .hours(24)) {
    self.items = items
    self.itemBytes = itemBytes
    self.lifetime = lifetime
  }

  public var rejectionReason: ServiceFailure? {
    if let failure = ServiceFailure(lifetime, "the lifetime", .period) { return failure }
    guard items > 0, itemBytes >= 0, itemBytes <= InputBounds.bytes / Int64(items)
    else {
      return ServiceFailure(
        .invalid,
        "the number of items must be above 0, "
          + "and all items at most \(InputBounds.bytes) B")
    }
    return nil
  }

  public func makeService() -> any Service { ItemPack(self) }
}

/// The command of a client to show the next item of a pack.
public struct ShowItem: ServiceCommand, Hashable {
  public init() {}
}

/// A notice of a pack to its client.
public enum PackNotice: ServiceNotice, Hashable {
  /// Show this item; the index counts from 0 over all packs.
  case show(Int)
  /// The number of items that were too old to be shown.
  case expired(Int)
}

/// Fetches items in packs and delivers them one by one. When the client waits for an item and the pack is
/// empty, the next pack is fetched at once.
struct ItemPack: Service {
  private let request: PackRequest
  /// The number of fetched items that were not shown yet.
  private var left = 0
  /// The index of the next item, counted over all packs.
  private var next = 0
  private var fetchedAt = Instant.epoch
  /// The number of items that the client waits for.
  private var waiting = 0
  private var demand: DemandID?

  init(_ request: PackRequest) { self.request = request }

  func need(_ roles: DeviceRoles) -> PermissionNeed { .network }
  var commandType: (any ServiceCommand.Type)? { ShowItem.self }
  var role: DeviceRole? { .transfers }

  mutating func begin(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {}

  mutating func handle(_ event: ServiceEvent, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    switch event {
    case .command(_ as ShowItem):
      waiting += 1
      deliver(context, &outbox)
    case .carried(demand):
      left = request.items
      fetchedAt = context.instant
      deliver(context, &outbox)
    case .ended(demand):
      demand = nil
      deliver(context, &outbox)
    default: break
    }
  }

  private mutating func deliver(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    if left > 0, context.instant - fetchedAt > request.lifetime.timeSpan {
      outbox.notify(PackNotice.expired(left))
      next = next.addingSaturated(left)
      left = 0
    }
    while waiting > 0, left > 0 {
      outbox.notify(PackNotice.show(next))
      next = next.addingSaturated(1)
      left -= 1
      waiting -= 1
    }
    guard waiting > 0, demand == nil, let radio = context.roles.radio(metered: true) else { return }
    let bytes = request.itemBytes * Int64(request.items)
    demand = outbox.raise(
      radio, DemandSettings(transfer: Transfer(bytesUp: 0, bytesDown: bytes, deadline: .zero)))
  }
}
