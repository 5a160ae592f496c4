public import StintModel
public import StintUnits

/// A device that yields samples while it is on.
public protocol SensorPlugin: DevicePlugin {
  /// Delivers the stored samples as one batch with this reason; does nothing without stored samples.
  func drain(at instant: Instant, reason: DeliveryReason)
}
