/// The address of an interface of an object on a message bus.
public struct DBusTarget: Hashable, Sendable {
  /// The name of the service, such as `org.freedesktop.UPower`.
  public var service: String
  /// The path of the object.
  public var path: String
  /// The interface of the object.
  public var interface: String

  /// Makes an address. An invalid name causes an error when the address is used.
  public init(service: String, path: String, interface: String) {
    self.service = service
    self.path = path
    self.interface = interface
  }

  /// The message bus itself.
  static let bus = DBusTarget(
    service: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus")

  /// The address of the standard interface for the properties of this object.
  var properties: DBusTarget {
    DBusTarget(service: service, path: path, interface: "org.freedesktop.DBus.Properties")
  }
}

/// A call of a method. Problems use its description as their location.
public struct DBusCall: Hashable, Sendable, CustomStringConvertible {
  /// The object and its interface.
  public var target: DBusTarget
  /// The name of the method.
  public var member: String
  /// The values that the method receives.
  public var arguments: [DBusValue]

  /// Makes a call.
  public init(_ target: DBusTarget, _ member: String, _ arguments: [DBusValue] = []) {
    self.target = target
    self.member = member
    self.arguments = arguments
  }

  public var description: String {
    let names = arguments.compactMap(\.string)
    // In a problem, the name of a property helps more than the name of the method that reads the property.
    if target.interface == "org.freedesktop.DBus.Properties", let interface = names.first {
      return names.count > 1 ? "\(interface).\(names[1])" : interface
    }
    return "\(target.interface).\(member)"
  }
}

/// A received signal or call.
public struct DBusMessage: Hashable, Sendable {
  /// The unique name of the connection that sent the message, such as `:1.42`.
  public var sender: String
  /// The path of the object.
  public var path: String
  /// The interface of the object; may be empty in a call.
  public var interface: String
  /// The name of the signal or the method.
  public var member: String
  /// The values in the message.
  public var values: [DBusValue]
}
