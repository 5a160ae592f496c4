import StintUnits

/// The subscriptions to signals, in the order in which they were made.
struct SubscriptionTable: Sendable {
  typealias Handler = @Sendable (Result<DBusMessage, Problem>) -> Void

  struct Entry: Sendable {
    var number: UInt64
    var match: DBusMatch
    var handler: Handler
  }

  private(set) var entries: [Entry] = []

  mutating func add(_ entry: Entry) { entries.append(entry) }

  mutating func remove(_ number: UInt64) -> Entry? {
    guard let place = entries.firstIndex(where: { $0.number == number }) else { return nil }
    return entries.remove(at: place)
  }

  func handler(_ number: UInt64) -> Handler? { entries.first { $0.number == number }?.handler }
}

/// Identifies a subscription, or a watch of a name, of one connection.
public struct DBusSubscription: Hashable, Sendable {
  let number: UInt64
}
