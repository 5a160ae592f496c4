public import StintModel

/// A kind of motion that a client may follow, each with its own start, stop and interval.
public struct MotionKind: Hashable, Sendable {
  /// The device whose samples it brings.
  public let device: DeviceID
  /// Devices that the first one makes its samples from, and that must run as well.
  public let inputs: [DeviceID]

  /// Describes a kind; plugins may bring further ones.
  public init(_ device: DeviceID, inputs: [DeviceID] = []) {
    self.device = device
    self.inputs = inputs
  }

  public static let acceleration = MotionKind("motion.accelerometer")
  public static let rotation = MotionKind("motion.gyro")
  public static let magneticField = MotionKind("motion.magnetometer")
  /// Attitude, rotation and acceleration together.
  public static let deviceMotion = MotionKind(
    "motion.fused", inputs: ["motion.accelerometer", "motion.gyro"])

  var parts: [DeviceID] { [device] + inputs }
}
