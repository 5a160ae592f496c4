import StintModel
import StintPluginHost
import StintPluginKit
import StintRuntime
import StintUnits

/// A plugin's program at work, with all that it says collected; in real time.
final class ProgramBench: Sendable {
  let plugin: ChildPlugin
  private let set: PluginSet
  private let clock: RunClock
  private let loop: LoopExecutor
  private let heard = Locked<[PortEvent]>([])

  init(_ program: ChildProgram, on loop: LoopExecutor) throws(Problem) {
    let clock = RunClock(start: SystemClock.wall(), anchor: SystemClock.monotonic())
    self.clock = clock
    self.loop = loop
    plugin = ChildPlugin(program, on: loop) { clock.instant(at: SystemClock.monotonic()) }
    set = try PluginSet([plugin])
  }

  var now: Instant { clock.instant(at: SystemClock.monotonic()) }
  var manifest: Manifest { plugin.manifest }

  func open() async { await set.open(at: now) }
  func close() async { await set.close(at: now) }
  func apply(_ setting: Setting) async { await set.apply(setting, to: 0, at: now) }
  func drain() async { await plugin.drain(at: now, reason: .flushed) }

  /// Lets time pass.
  func wait(_ span: TimeSpan) async { _ = await loop.sleep(until: SystemClock.monotonic() + span) }

  /// All that was said until now.
  var events: [PortEvent] {
    heard.withLock { events in
      set.members[0].port.drainEvents(into: &events)
      return events
    }
  }

  /// Waits until the plugin has said something of a sort, counted from a place in what it said; false when it takes
  /// longer than this.
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

  /// The state that the device is in, by what was said.
  var state: PowerState? {
    for case .outcome(.state(let index, _), _) in events.reversed() { return manifest.states[index] }
    return manifest.states.isEmpty ? nil : manifest.states[manifest.initial]
  }

  /// What was handed over since a place in what was said, with the instants of handing over.
  func batches(from place: Int = 0) -> [(batch: Batch, at: Instant)] {
    events.dropFirst(place).compactMap { event in
      if case .batch(let batch, let instant) = event { (batch, instant) } else { nil }
    }
  }

  /// Why the process was given up, where it was.
  var failure: ChildFailure? { plugin.status.failure }

  /// The faults that were reported since a place.
  func faults(from place: Int = 0) -> [String] {
    events.dropFirst(place).compactMap { event in
      if case .outcome(.fault(let text), _) = event { text } else { nil }
    }
  }

  /// How often the process has been given the processor; nil where the system does not say.
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
