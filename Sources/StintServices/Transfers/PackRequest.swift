public import StintUnits

/// What a client asks for to show small things one by one that are fetched by the pack: ads, tips, pictures.
public struct PackRequest: ServiceRequest, Hashable {
  /// How many are fetched at once.
  public var items: Int
  public var itemBytes: Int64
  /// How long an item may be shown after it was fetched.
  public var lifetime: TimeSpan

  /// Makes a request.
  public init(items: Int, itemBytes: Int64, lifetime: TimeSpan = .hours(24)) {
    self.items = items
    self.itemBytes = itemBytes
    self.lifetime = lifetime
  }

  public var objection: ServiceFailure? {
    guard items > 0, itemBytes >= 0, lifetime > .zero, itemBytes <= TransferRequest.mostBytes / Int64(items)
    else {
      return ServiceFailure(.invalid, "a pack has items, of some bytes, that last for some time")
    }
    return nil
  }

  public func makeService() -> any Service { ItemPack(self) }
}

/// Wants the next item of a pack.
public struct ShowItem: ServiceCommand, Hashable {
  public init() {}
}

/// What a pack tells its client.
public enum PackNotice: ServiceNotice, Hashable {
  /// Show this item, counted from 0 over all packs.
  case show(Int)
  /// The number of items that were too old to be shown.
  case expired(Int)
}
