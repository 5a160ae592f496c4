public import StintModel
public import StintUnits

/// A device that yields samples while it is on.
public protocol SensorPlugin: DevicePlugin {
  /// Delivers the held samples as one batch with this reason; does nothing without held samples.
  func drain(at instant: Instant, reason: DeliveryReason)
}
