public import StintUnits

/// The host's processor.
public protocol ProcessorPlugin: DevicePlugin {
  /// Wakes the processor briefly. The call costs no energy while the processor is awake.
  func wakeProcessor(at instant: Instant)
}
