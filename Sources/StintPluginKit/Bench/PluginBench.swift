public import StintModel
public import StintUnits

/// A test bench that drives one plugin in virtual time and records its events. Plugin tests and the
/// conformance check use it.
///
/// Time only moves forward. `advance(to:)` wakes the plugin at each alarm on the way. The horizon that the
/// bench passes to `wake` is one nanosecond after the end of the advance.
public struct PluginBench {
  /// The plugin under test.
  public let plugin: any DevicePlugin
  /// The port through which the plugin reports.
  public let port: DevicePort
  /// All events that the plugin has reported, in order.
  public private(set) var events: [PortEvent] = []
  /// The current instant of the bench.
  public private(set) var now: Instant

  /// The maximum number of wake-ups in one advance. The bench traps above this number, because the plugin
  /// then sets alarms in an endless loop.
  public static let wakeLimit = 10_000_000

  /// Makes a bench for a plugin. Call `open()` next.
  public init(_ plugin: any DevicePlugin, at start: Instant) {
    self.plugin = plugin
    self.port = DevicePort(manifest: plugin.manifest)
    self.now = start
  }

  /// Opens the plugin at the current instant.
  public mutating func open() async throws(Problem) {
    try await plugin.open(port, at: now)
    drainEvents()
  }

  /// Applies a setting at the current instant.
  public mutating func apply(_ setting: Setting) async throws(Problem) {
    try await plugin.apply(setting, at: now)
    drainEvents()
  }

  /// Moves time forward, and wakes the plugin at every alarm up to and including `instant`.
  public mutating func advance(to instant: Instant) async {
    precondition(instant >= now, "time only moves forward")
    var wakes = 0
    while let alarm = port.alarm, alarm <= instant {
      wakes += 1
      precondition(wakes <= Self.wakeLimit, "\(plugin.manifest.device) sets alarms in an endless loop")
      port.clearAlarm()
      now = max(now, alarm)
      await plugin.wake(at: now, horizon: instant + TimeSpan(nanoseconds: 1))
      drainEvents()
    }
    now = instant
  }

  /// Moves time forward by a span, and wakes the plugin at every alarm on the way.
  public mutating func advance(by span: TimeSpan) async { await advance(to: now + span) }

  /// Requests the stored samples of a sensor at the current instant; does nothing for other devices.
  public mutating func drain(reason: DeliveryReason = .flushed) async {
    guard let sensor = plugin as? any SensorPlugin else { return }
    await sensor.drain(at: now, reason: reason)
    drainEvents()
  }

  /// Passes transfers to a radio at the current instant; does nothing for other devices.
  public mutating func startTransfers(_ transfers: [AssignedTransfer]) async {
    guard let radio = plugin as? any RadioPlugin else { return }
    await radio.startTransfers(transfers, at: now)
    drainEvents()
  }

  /// Wakes a processor at the current instant; does nothing for other devices.
  public mutating func wakeProcessor() async {
    guard let processor = plugin as? any ProcessorPlugin else { return }
    await processor.wakeProcessor(at: now)
    drainEvents()
  }

  /// Reads a source at the current instant; does nothing for other devices.
  public mutating func read() async {
    guard let source = plugin as? any SourcePlugin else { return }
    await source.read(at: now)
    drainEvents()
  }

  /// Closes the plugin at the current instant.
  public mutating func close() async {
    await plugin.close(at: now)
    drainEvents()
  }

  private mutating func drainEvents() { port.drainEvents(into: &events) }
}
