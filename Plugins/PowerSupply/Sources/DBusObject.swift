/// The address of an object with properties on a message bus.
struct DBusObject: Sendable {
  var service: String
  var path: String
  var interface: String
}
