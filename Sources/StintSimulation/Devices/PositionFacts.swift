import StintModel
import StintPluginKit
import StintUnits

/// The facts of a positioning device: where, how well known, how fast, how far.
struct PositionFacts {
  private let port: DevicePort
  private let accuracy: FactHandle
  private let speed: FactHandle
  private let distance: FactHandle
  private let latitude: FactHandle
  private let longitude: FactHandle

  init(_ port: DevicePort) {
    self.port = port
    accuracy = port.handle("accuracy")
    speed = port.handle("speed")
    distance = port.handle("distance")
    latitude = port.handle("latitude")
    longitude = port.handle("longitude")
  }

  func publish(
    _ place: Coordinate, accuracy radius: Double, speed value: Double, distance metres: Double,
    at instant: Instant
  ) {
    port.publish(latitude, .number(place.latitude), at: instant)
    port.publish(longitude, .number(place.longitude), at: instant)
    port.publish(accuracy, .number(radius), at: instant)
    port.publish(speed, .number(value), at: instant)
    port.publish(distance, .number(metres), at: instant)
  }
}
