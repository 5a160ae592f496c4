/// The state of a name that this program has requested.
public enum DBusNameState: Hashable, Sendable {
  /// This program owns the name.
  case owned
  /// Another program owns the name; this program waits in the queue for the name.
  case queued
  /// Another program owns the name, and this program does not wait for it.
  case taken
  /// The connection to the bus is lost, the bus refused the request, or another program has taken
  /// the name from this program.
  case lost
}

/// The options of a request for a name. Without options, the program waits in the queue for a taken name.
public struct DBusNameOptions: OptionSet, Hashable, Sendable {
  /// The flags of the bus.
  public let rawValue: UInt32

  /// Makes a set from the flags of the bus.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Other programs may take the name from this program.
  public static let allowReplacement = DBusNameOptions(rawValue: 1)
  /// Takes the name from an owner that allows replacement.
  public static let replaceExisting = DBusNameOptions(rawValue: 2)
  /// Does not wait for a taken name.
  public static let doNotQueue = DBusNameOptions(rawValue: 4)
}

/// The requested names of this program, with their states.
struct NameTable: Sendable {
  typealias Handler = @Sendable (DBusNameState) -> Void

  private struct Record: Sendable {
    var options: DBusNameOptions
    var state = DBusNameState.lost
    var handler: Handler
  }

  private var records: [String: Record] = [:]

  var requests: [(name: String, options: DBusNameOptions)] {
    records.sorted { $0.key < $1.key }.map { ($0.key, $0.value.options) }
  }

  mutating func add(_ name: String, _ options: DBusNameOptions, _ handler: @escaping Handler) {
    records[name] = Record(options: options, handler: handler)
  }

  mutating func remove(_ name: String) -> Bool { records.removeValue(forKey: name) != nil }

  /// Sets the state. Returns the handler to call; nil when the state is unchanged or the name is not
  /// requested.
  mutating func set(_ name: String, _ state: DBusNameState) -> Handler? {
    guard let record = records[name], record.state != state else { return nil }
    records[name]?.state = state
    return record.handler
  }
}
