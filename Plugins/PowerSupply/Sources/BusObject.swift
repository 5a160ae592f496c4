/// Something on a bus that has properties.
struct BusObject: Sendable {
  var service: String
  var path: String
  var interface: String
}
