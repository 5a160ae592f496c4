/// The owners of the well-known names in subscriptions and watches.
struct OwnerTable: Sendable {
  typealias Handler = @Sendable (_ owner: String?) -> Void

  private struct Record: Sendable {
    var owner: String?
    /// False until the bus has answered for the first time on this connection.
    var isKnown = false
    /// The number of subscriptions and watches that need the owner.
    var uses = 0
    var watches: [(number: UInt64, handler: Handler)] = []
  }

  private var records: [String: Record] = [:]

  var names: [String] { records.keys.sorted() }

  func owner(_ name: String) -> String? { records[name]?.owner }

  /// Adds a use of a name. Returns true for its first use: the caller must then query the owner from the bus.
  mutating func use(_ name: String) -> Bool {
    records[name, default: Record()].uses += 1
    return records[name]?.uses == 1
  }

  /// Removes a use of a name. Returns true when no use is left.
  mutating func drop(_ name: String) -> Bool {
    guard var record = records[name] else { return false }
    record.uses -= 1
    records[name] = record.uses > 0 ? record : nil
    return record.uses == 0
  }

  /// Adds a watch to a used name. Returns true when the owner is known, so that the handler must be called.
  mutating func watch(_ name: String, _ number: UInt64, _ handler: @escaping Handler) -> Bool {
    records[name]?.watches.append((number, handler))
    return records[name]?.isKnown ?? false
  }

  /// Removes a watch. Returns the watched name; nil when there is no such watch.
  mutating func removeWatch(_ number: UInt64) -> String? {
    for name in names {
      guard let place = records[name]?.watches.firstIndex(where: { $0.number == number }) else { continue }
      records[name]?.watches.remove(at: place)
      return name
    }
    return nil
  }

  /// Sets the owner of a name. When the owner has changed or was not known, returns the handlers of all
  /// watches of the name; otherwise returns no handlers.
  mutating func set(_ name: String, _ owner: String?) -> [Handler] {
    guard let record = records[name], !record.isKnown || record.owner != owner else { return [] }
    records[name]?.owner = owner
    records[name]?.isKnown = true
    return record.watches.map(\.handler)
  }

  /// Forgets all owners because the bus is lost. Returns the handlers of names that had an owner.
  mutating func forget() -> [Handler] {
    var handlers: [Handler] = []
    for name in names {
      if records[name]?.owner != nil { handlers += records[name]?.watches.map(\.handler) ?? [] }
      records[name]?.owner = nil
      records[name]?.isKnown = false
    }
    return handlers
  }
}
