import StintModel
import StintPluginKit
import StintUnits
import Testing

@testable import StintIIO

/// A plugin that uses a tree of files, with a test host that receives the plugin's events.
struct IIOStage {
  let plugin: IIOPlugin
  let listener: PortListener
  let clock = ManualClock()
  /// The tree of files, which is deleted with its last reference.
  let tree: AttributeTree

  init(_ tree: AttributeTree, _ change: (inout IIOSettings) -> Void = { _ in }) async throws {
    self.tree = tree
    var settings = IIOSettings()
    settings.timeout = .seconds(60)
    settings.sys = tree.root + "/sys"
    settings.dev = tree.root + "/dev"
    change(&settings)
    let clock = clock
    plugin = try IIOPlugin(settings) { clock.now }
    listener = PortListener(plugin.manifest)
    try await plugin.open(listener.port, at: clock.now)
  }

  func apply(_ setting: Setting) async throws { try await plugin.apply(setting, at: clock.now) }

  func close() async { await plugin.close(at: clock.now) }

  /// Moves the clock to the current alarm and calls `wake`.
  func wake() async throws {
    let alarm = try #require(listener.port.alarm)
    let now = clock.now
    if alarm > now { clock.advance(by: alarm - now) }
    listener.port.clearAlarm()
    await plugin.wake(at: clock.now, horizon: alarm)
  }

  /// Returns all events since the last call.
  func heard() -> [PortEvent] {
    var events: [PortEvent] = []
    listener.port.drainEvents(into: &events)
    return events
  }

  /// Returns the names of the states among events, each with its period.
  func states(_ events: [PortEvent]) -> [String] {
    events.compactMap { event in
      guard case .outcome(.state(let state, let period), _) = event else { return nil }
      let name = plugin.manifest.states[state].name
      return period.map { "\(name) \($0)" } ?? name
    }
  }

  func faults(_ events: [PortEvent]) -> [String] {
    events.compactMap { event in
      guard case .outcome(.fault(let text), _) = event else { return nil }
      return text
    }
  }

  func samples(_ events: [PortEvent]) -> [Sample] {
    events.flatMap { event in
      guard case .batch(let batch, _) = event else { return [] as [Sample] }
      return batch.samples
    }
  }

  static func isBatch(_ event: PortEvent) -> Bool { if case .batch = event { true } else { false } }

  static func isGone(_ event: PortEvent) -> Bool {
    if case .available(false, _) = event { true } else { false }
  }
}
