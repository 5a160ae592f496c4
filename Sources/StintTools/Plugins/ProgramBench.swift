import StintModel
import StintPluginHost
import StintPluginKit
import StintRuntime
import StintUnits

/// Runs the program of a plugin in real time, and records all events of one of its devices. The other devices
/// stay off.
final class ProgramBench: Sendable {
  let plugin: ChildPlugin
  private let set: PluginSet
  /// The index of the device in the set.
  private let place: Int
  private let clock: RunClock
  private let loop: LoopExecutor
  private let recordedEvents = Locked<[PortEvent]>([])
  /// The events of the other devices.
  private let recordedOthers = Locked<[PortEvent]>([])
  /// The first device, which receives the output lines of the process.
  private let first: ChildPlugin

  /// - Parameter device: the index of the device in the order of the program's manifests.
  init(_ program: ChildProgram, device: Int, on loop: LoopExecutor) throws(Problem) {
    let clock = RunClock(start: SystemClock.wall(), anchor: SystemClock.monotonic())
    self.clock = clock
    self.loop = loop
    let plugins = ChildPlugin.plugins(program, on: loop) { clock.instant(at: SystemClock.monotonic()) }
    plugin = plugins[device]
    first = plugins[0]
    set = try PluginSet(plugins)
    place = set.index(of: plugin.manifest.device) ?? 0
  }

  var now: Instant { clock.instant(at: SystemClock.monotonic()) }
  var manifest: Manifest { plugin.manifest }

  /// Sets the function that receives each line that the process prints, on the thread of the loop.
  func listen(_ listener: @escaping @Sendable (String) -> Void) { first.listen(listener) }

  func open() async { await set.open(at: now) }
  func close() async { await set.close(at: now) }
  func apply(_ setting: Setting) async { await set.apply(setting, to: place, at: now) }
  func drain() async { await plugin.drain(at: now, reason: .flushed) }

  func read() async { await set.read(place, at: now) }

  /// Waits until the plugin has answered all readings. Returns false when it does not answer within `span`.
  func waitsForReading(atMost span: TimeSpan) async -> Bool {
    let deadline = now + span
    while plugin.isReading, now < deadline { await wait(.milliseconds(10)) }
    return !plugin.isReading
  }

  func start(_ demand: DemandID, bytes: Int64) async {
    let transfer = Transfer(bytesUp: bytes, bytesDown: 0, deadline: nil)
    await plugin.startTransfers([AssignedTransfer(demand: demand, transfer: transfer)], at: now)
  }
  func stop(_ demand: DemandID) async { _ = await plugin.cancelTransfer(demand, at: now) }
  func handle(_ order: TransferOrder) async { await plugin.handle(order, at: now) }

  /// The values and samples that the host dropped until now because they were out of range.
  var droppedReadings: DroppedReadings { self.set.members[place].port.droppedReadings }

  func wait(_ span: TimeSpan) async { _ = await loop.sleep(until: SystemClock.monotonic() + span) }

  /// All events that the device has sent until now.
  var events: [PortEvent] {
    recordedEvents.withLock { events in
      set.members[place].port.drainEvents(into: &events)
      return events
    }
  }

  /// All events that the other devices have sent until now.
  var eventsOfOthers: [PortEvent] {
    recordedOthers.withLock { events in
      for (index, member) in set.members.enumerated() where index != place {
        member.port.drainEvents(into: &events)
      }
      return events
    }
  }

  /// Waits until the plugin has sent a matching event at or after index `place`. Returns false when no such
  /// event arrives within `span`.
  func waits(
    atMost span: TimeSpan, from place: Int, for isWanted: (PortEvent) -> Bool
  ) async -> Bool {
    let deadline = now + span
    while true {
      if events.dropFirst(place).contains(where: isWanted) { return true }
      if now >= deadline { return false }
      await wait(.milliseconds(10))
    }
  }

  /// The state that the device reported last. Before the first report, the initial state of the manifest. Nil
  /// when the manifest has no states.
  var state: PowerState? {
    for case .outcome(.state(let index, _), _) in events.reversed() { return manifest.states[index] }
    return manifest.states.isEmpty ? nil : manifest.states[manifest.initial]
  }

  /// Returns the batches among the events from index `place` on, with their delivery times.
  func batches(from place: Int = 0) -> [(batch: Batch, at: Instant)] {
    events.dropFirst(place).compactMap { event in
      if case .batch(let batch, let instant) = event { (batch, instant) } else { nil }
    }
  }

  /// The reason why the host does not serve the device; nil while the host serves it.
  var failure: ChildFailure? { plugin.status.failure }

  /// Returns the faults among the events from index `place` on.
  func faults(from place: Int = 0) -> [String] {
    events.dropFirst(place).compactMap { event in
      if case .outcome(.fault(let text), _) = event { text } else { nil }
    }
  }

  /// The number of voluntary context switches of the main thread; nil when the system does not report it.
  var switches: Int? {
    guard let process = plugin.status.process else { return nil }
    let bytes: [UInt8]
    do throws(Problem) { bytes = try FileText.read("/proc/\(process)/status") } catch { return nil }
    var sum = 0
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      guard line.hasPrefix("voluntary_ctxt_switches:"), let count = line.split(separator: "\t").last else {
        continue
      }
      sum += Int(count) ?? 0
    }
    return sum
  }
}
