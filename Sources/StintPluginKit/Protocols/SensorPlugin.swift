public import StintModel
public import StintUnits

/// A device that yields samples while it is on.
public protocol SensorPlugin: DevicePlugin {
  /// Hands over what the device holds as one batch with this reason; nothing when it holds nothing.
  func drain(at instant: Instant, reason: DeliveryReason)
}
