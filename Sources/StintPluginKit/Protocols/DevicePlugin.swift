public import StintModel
public import StintUnits

/// A device: an actor that applies settings and reports through its port.
///
/// The host calls the plugin; the plugin calls the host only through the port. The plugin never reads a
/// clock: each call passes the time, which never decreases. The plugin schedules later work with
/// `DevicePort.setAlarm(at:)`. A plugin starts no tasks, and powers only the parts that are necessary for the
/// setting.
public protocol DevicePlugin: Actor {
  /// The description of the device; constant for the plugin's lifetime.
  nonisolated var manifest: Manifest { get }

  /// Receives the port. The host calls this once, before all other functions; the device stays in its
  /// initial state.
  ///
  /// The daemon opens all plugins at the same time. A simulation opens them in order: each plugin when the
  /// previous plugin is open.
  ///
  /// - Throws: an error with the reason; the device is then listed as unavailable.
  func open(_ port: DevicePort, at instant: Instant) async throws(Problem)

  /// Applies the setting and reports `Outcome`s: at least the resulting power state.
  ///
  /// Before the device turns off or stops storing samples, it delivers the stored samples with the
  /// reason `ended`.
  ///
  /// - Throws: an error when the device cannot apply the setting; the device is then unchanged.
  func apply(_ setting: Setting, at instant: Instant) throws(Problem)

  /// Handles the alarm that was set with `DevicePort.setAlarm(at:)`.
  ///
  /// Nothing else in the system happens before `horizon`. The plugin may therefore compute ahead to any
  /// instant before `horizon`. It must stop when it reports an event to which the host may react: a fact, a
  /// power state, a full FIFO.
  func wake(at instant: Instant, horizon: Instant)

  /// Turns everything off and delivers the stored samples. The plugin must not use the port afterwards.
  func close(at instant: Instant) async
}
