public import StintModel
public import StintUnits

/// A device on the bus: an actor that does what settings say and answers through its port.
///
/// The host calls; the plugin never calls the host except through the port, and never reads a clock: time
/// comes with every call and never falls. Work that comes due later is asked for with `DevicePort.setAlarm(at:)`.
/// A plugin starts no task of its own and leaves nothing powered that no setting asked for.
public protocol DevicePlugin: Actor {
  /// What the device is; the same value for the plugin's whole life.
  nonisolated var manifest: Manifest { get }

  /// Gets the port, once, before anything else; the device stays in its manifest's initial state.
  ///
  /// The plugins behind it wait until it has returned. A plugin that throws here is listed as unavailable
  /// with the error as its reason.
  func open(_ port: DevicePort, at instant: Instant) async throws(PluginError)

  /// Does what the setting says and answers with `Outcome`s: at least the power state that it is in now.
  ///
  /// What a device holds is handed over, with the reason `ended`, before it turns off or stops holding.
  func apply(_ setting: Setting, at instant: Instant) throws(PluginError)

  /// Called when the alarm set with `DevicePort.setAlarm(at:)` has expired.
  ///
  /// Nothing else in the system happens before `horizon`, so the plugin may run ahead up to it, `horizon`
  /// itself not included, until it says something that others may act upon: a fact, a state, a full log.
  func wake(at instant: Instant, horizon: Instant)

  /// Turns everything off and hands over what is held; the port is not used afterwards.
  func close(at instant: Instant) async
}
