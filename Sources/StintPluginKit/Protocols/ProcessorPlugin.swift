public import StintUnits

/// The host's processor.
public protocol ProcessorPlugin: DevicePlugin {
  /// Wakes the processor for a moment; costs nothing when it is awake.
  func wakeProcessor(at instant: Instant)
}
