import StintModel
import StintPluginKit
import StintUnits

/// The facts of a positioning device: position, accuracy, speed and distance.
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

/// The travelled distance in metres as a device can measure it. Between two positions with a measured speed,
/// the distance grows by speed times time. Across a gap of more than a minute, or without a measured speed,
/// it grows by the length of the straight line.
struct Odometer {
  private static let longestStep = TimeSpan.seconds(60)

  private(set) var metres = 0.0
  private var last: (position: Coordinate, instant: Instant)?

  /// Adds a position with a measured speed.
  mutating func advance(to position: Coordinate, speed: Double, at instant: Instant) {
    if let last {
      let step = instant - last.instant
      metres += step <= Self.longestStep ? speed * step.seconds : last.position.distance(to: position)
    }
    last = (position, instant)
  }

  /// Adds a position that has a 95 % radius but no speed. A movement of at most twice the radius may be an
  /// error and does not count as distance. Returns the speed in metres per second; 0 for such a movement and
  /// for the first position.
  mutating func advance(to position: Coordinate, radius: Double, at instant: Instant) -> Double {
    guard let (place, since) = last else {
      last = (position, instant)
      return 0
    }
    let length = place.distance(to: position)
    guard length > 2 * radius, instant > since else { return 0 }
    metres += length
    last = (position, instant)
    return length / (instant - since).seconds
  }
}
