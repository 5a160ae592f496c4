public import StintModel
public import StintUnits

/// Drives one plugin in virtual time and keeps all that it says: for the tests of plugins and for the
/// conformance check.
///
/// Time only moves forward. The bench wakes the plugin at each alarm on the way, with the end of the move as
/// the horizon.
public struct PluginBench {
  public let plugin: any DevicePlugin
  public let port: DevicePort
  /// All that the plugin said so far, in order.
  public private(set) var events: [PortEvent] = []
  public private(set) var now: Instant
  private var steps = 0

  /// How many times a plugin may be woken on one move before the bench gives it up as caught in a circle.
  public static let wakeLimit = 10_000_000

  /// Puts a plugin on the bench; `open()` comes next.
  public init(_ plugin: any DevicePlugin, at start: Instant) {
    self.plugin = plugin
    self.port = DevicePort(manifest: plugin.manifest)
    self.now = start
  }

  /// Opens the plugin now.
  public mutating func open() async throws(PluginError) {
    try await plugin.open(port, at: now)
    drainEvents()
  }

  /// Applies a setting now.
  public mutating func apply(_ setting: Setting) async throws(PluginError) {
    try await plugin.apply(setting, at: now)
    drainEvents()
  }

  /// Moves on, answering every alarm up to and including `instant`.
  public mutating func advance(to instant: Instant) async {
    precondition(instant >= now, "time only moves forward")
    var wakes = 0
    while let alarm = port.alarm, alarm <= instant {
      wakes += 1
      precondition(wakes <= Self.wakeLimit, "\(plugin.manifest.device) wants to be woken again and again")
      port.clearAlarm()
      now = max(now, alarm)
      await plugin.wake(at: now, horizon: instant + TimeSpan(nanoseconds: 1))
      drainEvents()
    }
    now = instant
  }

  /// Moves on by a span, answering every alarm on the way.
  public mutating func advance(by span: TimeSpan) async { await advance(to: now + span) }

  /// Drains a sensor now; nothing for other devices.
  public mutating func drain(reason: DeliveryReason = .flushed) async {
    guard let sensor = plugin as? any SensorPlugin else { return }
    await sensor.drain(at: now, reason: reason)
    drainEvents()
  }

  /// Gives a radio transfers now; nothing for other devices.
  public mutating func startTransfers(_ transfers: [AssignedTransfer]) async {
    guard let radio = plugin as? any RadioPlugin else { return }
    await radio.startTransfers(transfers, at: now)
    drainEvents()
  }

  /// Wakes a processor now; nothing for other devices.
  public mutating func wakeProcessor() async {
    guard let processor = plugin as? any ProcessorPlugin else { return }
    await processor.wakeProcessor(at: now)
    drainEvents()
  }

  /// Reads a source now; nothing for other devices.
  public mutating func read() async {
    guard let source = plugin as? any SourcePlugin else { return }
    await source.read(at: now)
    drainEvents()
  }

  /// Closes the plugin now.
  public mutating func close() async {
    await plugin.close(at: now)
    drainEvents()
  }

  private mutating func drainEvents() { port.drainEvents(into: &events) }
}
