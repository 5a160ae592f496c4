public import StintUnits

/// The host's processor.
public protocol ProcessorPlugin: DevicePlugin {
  /// Wakes the processor briefly; has no cost when it is awake.
  func wakeProcessor(at instant: Instant)
}
