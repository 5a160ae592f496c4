/// The checkers of one run.
struct SwarmWatches: Sendable {
  /// Of devices, demands and books.
  let devices: InvariantWatch
  /// Of what services tell and leave standing.
  let services: ServiceWatch

  init(_ devices: InvariantWatch, _ services: ServiceWatch) {
    self.devices = devices
    self.services = services
  }

  var broken: [BrokenInvariant] { devices.broken + services.broken }
}
