import StintUnits

/// Finds the code that answers a call: a method of the object, or a method of a standard interface.
struct StandardCalls {
  typealias Action = @Sendable (DBusAnswer) -> Void

  static let introspection = "org.freedesktop.DBus.Introspectable"
  private static let properties = "org.freedesktop.DBus.Properties"

  let interfaces: [DBusInterface]
  let children: [String]

  func action(for call: DBusMessage, signature: String) -> Result<Action, Problem> {
    switch (call.interface, call.member) {
    case (Self.introspection, "Introspect"):
      return checked(signature, "") { .success(Self.description(interfaces, children)) }
    case (Self.properties, "Get"):
      return checked(signature, "ss") {
        property(call).map { property in { $0.succeed([.variant(property.read())]) } }
      }
    case (Self.properties, "Set"):
      return checked(signature, "ssv") { property(call).flatMap { set($0, call) } }
    case (Self.properties, "GetAll"):
      return checked(signature, "s") {
        interface(call.values[0].string ?? "").map { interface in
          { answer in answer.succeed([.options(interface.properties.map { ($0.name, $0.read()) })]) }
        }
      }
    default:
      return method(call).flatMap { method in
        checked(signature, method.arguments) { .success { method.handler(call, $0) } }
      }
    }
  }

  private func checked(
    _ found: String, _ expected: String, _ body: () -> Result<Action, Problem>
  ) -> Result<Action, Problem> {
    guard found == expected else {
      return .failure(.refusal("InvalidArgs", "the arguments have the types “\(found)”, not “\(expected)”"))
    }
    return body()
  }

  private func interface(_ name: String) -> Result<DBusInterface, Problem> {
    guard let interface = interfaces.first(where: { $0.name == name }) else {
      return .failure(.refusal("UnknownInterface", "the object has no interface \(name)"))
    }
    return .success(interface)
  }

  private func property(_ call: DBusMessage) -> Result<DBusProperty, Problem> {
    interface(call.values[0].string ?? "").flatMap { interface in
      let name = call.values[1].string ?? ""
      guard let property = interface.properties.first(where: { $0.name == name }) else {
        return .failure(.refusal("UnknownProperty", "\(interface.name) has no property \(name)"))
      }
      return .success(property)
    }
  }

  private func set(_ property: DBusProperty, _ call: DBusMessage) -> Result<Action, Problem> {
    guard let write = property.write else {
      return .failure(.refusal("PropertyReadOnly", "\(property.name) can only be read"))
    }
    guard case .variant(let value) = call.values[2], value.signature == property.signature else {
      return .failure(.refusal("InvalidArgs", "\(property.name) has the type “\(property.signature)”"))
    }
    return .success { answer in
      if let failure = write(value) { answer.fail(failure) } else { answer.succeed() }
    }
  }

  /// Returns the method for a call. When the call omits the interface, the first interface with a method of
  /// this name is used.
  private func method(_ call: DBusMessage) -> Result<DBusMethod, Problem> {
    if !call.interface.isEmpty, case .failure(let failure) = interface(call.interface) {
      return .failure(failure)
    }
    let methods = interfaces.filter { call.interface.isEmpty || $0.name == call.interface }.flatMap(\.methods)
    guard let method = methods.first(where: { $0.name == call.member }) else {
      return .failure(.refusal("UnknownMethod", "the object has no method \(call.member)"))
    }
    return .success(method)
  }

  // MARK: The description of an object

  static func description(_ interfaces: [DBusInterface], _ children: [String]) -> Action {
    var text = "<node>"
    for interface in interfaces {
      text += "<interface name=\"\(interface.name)\">"
      for method in interface.methods {
        text += "<method name=\"\(method.name)\">" + arguments(method.arguments, "in")
        text += arguments(method.results, "out") + "</method>"
      }
      for property in interface.properties {
        let access = property.write == nil ? "read" : "readwrite"
        text += "<property name=\"\(property.name)\" type=\"\(property.signature)\" access=\"\(access)\"/>"
      }
      for signal in interface.signals {
        text += "<signal name=\"\(signal.name)\">" + arguments(signal.signature, nil) + "</signal>"
      }
      text += "</interface>"
    }
    text += children.map { "<node name=\"\($0)\"/>" }.joined() + "</node>"
    let description = text
    return { $0.succeed([.text(description)]) }
  }

  private static func arguments(_ signature: String, _ direction: String?) -> String {
    let attribute = direction.map { " direction=\"\($0)\"" } ?? ""
    return parts(of: signature).map { "<arg type=\"\($0)\"\(attribute)/>" }.joined()
  }

  /// Divides a signature into complete types: `sa{sv}` into `s` and `a{sv}`.
  static func parts(of signature: String) -> [String] {
    var parts: [String] = []
    var part = ""
    var depth = 0
    for letter in signature {
      part.append(letter)
      if "({".contains(letter) { depth += 1 }
      if ")}".contains(letter) { depth -= 1 }
      guard depth == 0, letter != "a" else { continue }
      parts.append(part)
      part = ""
    }
    return parts
  }
}
