import StintModel
import StintPluginKit
import StintUnits

/// The three facts of a positioning device: accuracy, speed, distance.
struct PositionFacts {
  private let port: DevicePort
  private let accuracy: FactHandle
  private let speed: FactHandle
  private let distance: FactHandle

  init(_ port: DevicePort) {
    self.port = port
    accuracy = port.handle("accuracy")
    speed = port.handle("speed")
    distance = port.handle("distance")
  }

  func publish(accuracy radius: Double, speed value: Double, distance metres: Double, at instant: Instant) {
    port.publish(accuracy, .number(radius), at: instant)
    port.publish(speed, .number(value), at: instant)
    port.publish(distance, .number(metres), at: instant)
  }
}
