import StintUnits

/// The calls of this program that wait for a reply. The key is the cookie (number) of the message.
struct CallTable: Sendable {
  /// The use of a reply.
  enum Purpose: Sendable {
    /// A call of a user of the connection.
    case reply(@Sendable (Result<[DBusValue], Problem>) -> Void)
    /// A `GetNameOwner` call: it asks the bus which connection owns this name.
    case owner(String)
    /// A `RequestName` call: it asks the bus to give this name to this program.
    case request(String)
    /// An `AddMatch` call, which registers the subscription with this number.
    case rule(UInt64)
    /// A call whose result is not used.
    case none
  }

  struct Entry: Sendable {
    var purpose: Purpose
    var place: String
    /// Cancels the timer of the time limit.
    var cancel: @Sendable () -> Void
  }

  private var entries: [UInt64: Entry] = [:]

  var count: Int { entries.count }

  mutating func add(_ cookie: UInt64, _ entry: Entry) { entries[cookie] = entry }

  /// Removes a call because its reply has arrived or its time limit has passed. Returns nil when no such call
  /// waits.
  mutating func remove(_ cookie: UInt64) -> Entry? {
    guard let entry = entries.removeValue(forKey: cookie) else { return nil }
    entry.cancel()
    return entry
  }

  /// Removes and returns all calls, in the order in which they were made.
  mutating func removeAll() -> [Entry] {
    let all = entries.sorted { $0.key < $1.key }.map(\.value)
    entries = [:]
    for entry in all { entry.cancel() }
    return all
  }
}
