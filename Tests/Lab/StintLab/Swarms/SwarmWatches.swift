/// The invariant checkers of one run.
struct SwarmWatches: Sendable {
  /// The checker of devices, demands and the ledger.
  let devices: InvariantWatch
  /// The checker of services: of their notices, and of demands that remain after the end of a service.
  let services: ServiceWatch

  init(_ devices: InvariantWatch, _ services: ServiceWatch) {
    self.devices = devices
    self.services = services
  }

  var broken: [BrokenInvariant] { devices.broken + services.broken }
}
