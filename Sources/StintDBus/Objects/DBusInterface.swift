public import StintUnits

/// An interface of an object that this program offers to other programs.
public struct DBusInterface: Sendable {
  /// The name, such as `org.example.Thermometer`.
  public var name: String
  /// The methods that other programs may call.
  public var methods: [DBusMethod]
  /// The properties that other programs may read, and may set if the property permits it.
  public var properties: [DBusProperty]
  /// The signals that the object sends. The list is used only for the description of the object.
  public var signals: [DBusSignal]

  /// Makes an interface.
  public init(
    _ name: String, methods: [DBusMethod] = [], properties: [DBusProperty] = [], signals: [DBusSignal] = []
  ) {
    self.name = name
    self.methods = methods
    self.properties = properties
    self.signals = signals
  }
}

/// A method of an exported object.
public struct DBusMethod: Sendable {
  /// The name.
  public var name: String
  /// The types of the arguments; a call with other types gets an error.
  public var arguments: String
  /// The types of the results.
  public var results: String
  /// Called on the thread of the loop. The handler may answer later, and must not block.
  public var handler: @Sendable (DBusMessage, DBusAnswer) -> Void

  /// Makes a method.
  public init(
    _ name: String, arguments: String = "", results: String = "",
    _ handler: @escaping @Sendable (DBusMessage, DBusAnswer) -> Void
  ) {
    self.name = name
    self.arguments = arguments
    self.results = results
    self.handler = handler
  }
}

/// A property of an exported object.
public struct DBusProperty: Sendable {
  /// The name.
  public var name: String
  /// The type of the value.
  public var signature: String
  /// Returns the value; called on the thread of the loop.
  public var read: @Sendable () -> DBusValue
  /// Sets the value, or returns the reason for a refusal; nil for a property that other programs may only
  /// read.
  public var write: (@Sendable (DBusValue) -> Problem?)?

  /// Makes a property.
  public init(
    _ name: String, _ signature: String, write: (@Sendable (DBusValue) -> Problem?)? = nil,
    read: @escaping @Sendable () -> DBusValue
  ) {
    self.name = name
    self.signature = signature
    self.read = read
    self.write = write
  }
}

/// A signal of an exported object.
public struct DBusSignal: Sendable {
  /// The name.
  public var name: String
  /// The types of its values.
  public var signature: String

  /// Makes a signal.
  public init(_ name: String, _ signature: String) {
    self.name = name
    self.signature = signature
  }
}
