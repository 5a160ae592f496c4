import StintModel
import StintUnits

@testable import StintServices

/// Creates contexts, outboxes and fixes for tests of the types that services consist of.
enum PartContext {
  static let id = ServiceID("app", "service")
  static let receiver: DeviceID = "sky"

  static let vocabulary = Vocabulary(manifests: [
    Manifest(
      device: receiver, kind: .sensor, title: "Receiver",
      states: [PowerState(name: "off", power: .zero, isOn: false)], initial: 0, safe: 0,
      statedRoles: [.positioning])
  ])

  static func at(_ seconds: Int64) -> Instant { .epoch + .seconds(seconds) }

  static func context(_ seconds: Int64, isAttached: Bool = true) -> ServiceContext {
    var client = ClientStatus(id.client)
    client.isAttached = isAttached
    return ServiceContext(
      instant: at(seconds), id: id, client: client, environment: ServiceEnvironment(vocabulary))
  }

  static var outbox: ServiceOutbox { ServiceOutbox(client: id.client, nextDemand: 1) }

  /// Returns the raised demands, the released demands and the notices of an outbox, one line each.
  static func lines(_ outbox: ServiceOutbox) -> [String] {
    outbox.items.compactMap { item in
      switch item {
      case .raise(let demand): "raise \(demand.id)"
      case .release(let demand): "release \(demand)"
      case .notice(let notice): "notice \(notice)"
      default: nil
      }
    }
  }

  static func fix(_ seconds: Int64, accuracy: Double = 10, north: Double = 0, of device: DeviceID = receiver)
    -> Fix
  {
    let origin = Coordinate(latitude: 47, longitude: 8)!
    return Fix(
      instant: at(seconds), coordinate: origin.moved(north: north, east: 0), accuracy: accuracy,
      device: device, sequence: UInt64(seconds))
  }
}
