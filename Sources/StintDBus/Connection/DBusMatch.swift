/// A filter for signals. A property that is nil accepts every value.
public struct DBusMatch: Hashable, Sendable {
  /// The name of the service that sends the signal.
  public var sender: String?
  /// The path of the object that sends the signal.
  public var path: String?
  /// The interface of the signal.
  public var interface: String?
  /// The name of the signal.
  public var member: String?
  /// The first value of the signal, a string.
  public var firstArgument: String?

  /// Makes a filter.
  public init(
    sender: String? = nil, path: String? = nil, interface: String? = nil, member: String? = nil,
    firstArgument: String? = nil
  ) {
    self.sender = sender
    self.path = path
    self.interface = interface
    self.member = member
    self.firstArgument = firstArgument
  }

  /// Makes a filter for changes of an object's properties.
  public static func changes(of target: DBusTarget) -> DBusMatch {
    DBusMatch(
      sender: target.service, path: target.path, interface: target.properties.interface,
      member: "PropertiesChanged", firstArgument: target.interface)
  }

  /// Makes a filter for changes of a name's owner.
  static func owner(of name: String) -> DBusMatch {
    let bus = DBusTarget.bus
    return DBusMatch(
      sender: bus.service, path: bus.path, interface: bus.interface, member: "NameOwnerChanged",
      firstArgument: name)
  }

  /// The rule in the syntax of the bus.
  var rule: String {
    let parts = [
      ("sender", sender), ("path", path), ("interface", interface), ("member", member),
      ("arg0", firstArgument),
    ]
    return "type='signal'"
      + parts.map { key, value in value.map { ",\(key)=\(Self.quoted($0))" } ?? "" }.joined()
  }

  /// Returns the value in apostrophes. At an apostrophe inside the value, the quotation ends, `\'` follows,
  /// and a new quotation begins.
  private static func quoted(_ value: String) -> String {
    "'" + value.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }

  /// The well-known name whose owner must be known to recognize the sender. Nil when `sender` is nil, the
  /// unique name of a connection, or the name of the bus.
  var watchedSender: String? {
    guard let sender, !sender.hasPrefix(":"), sender != DBusTarget.bus.service else { return nil }
    return sender
  }

  /// Returns whether the filter accepts the header of a signal.
  ///
  /// The bus delivers each signal that matches any subscription; this function selects the subscriptions. Any
  /// program may send a signal to this connection directly, so the sender is checked here as well.
  ///
  /// - Parameter owner: returns the connection that owns a well-known name.
  func accepts(
    sender: String, path: String, interface: String, member: String, owner: (String) -> String?
  ) -> Bool {
    if let wanted = self.sender {
      guard (watchedSender == nil ? wanted : owner(wanted)) == sender else { return false }
    }
    return (self.path ?? path) == path && (self.interface ?? interface) == interface
      && (self.member ?? member) == member
  }

  /// Returns whether the filter accepts the values of a signal.
  func accepts(_ values: [DBusValue]) -> Bool {
    guard let firstArgument else { return true }
    if case .text(let text)? = values.first { return text == firstArgument }
    return false
  }
}
