import StintModel
import StintPluginKit
import StintUnits
import Testing

@testable import StintPowerSupply

@Suite("power supply: the plugin on a tree of files")
struct PowerSupplyPluginTests {
  /// A plugin on a machine, and the host that hears it.
  private struct Stage {
    let plugin: PowerSupplyPlugin
    let port: DevicePort
    let clock = HandClock()
    /// Kept: the tree goes with whoever holds it last.
    let power: PowerTree

    init(_ power: PowerTree, hearsKernel: Bool = false) async throws {
      self.power = power
      var settings = PowerSupplySettings()
      settings.sys = power.tree.root + "/sys"
      let clock = clock
      plugin = try PowerSupplyPlugin(settings, hearsKernel: hearsKernel) { clock.now }
      port = DevicePort(manifest: plugin.manifest)
      try await plugin.open(port, at: clock.now)
    }

    func need(_ paths: String...) async {
      let places = paths.compactMap { path in plugin.manifest.facts.firstIndex { $0.path == path } }
      await plugin.need(Set(places), at: clock.now)
    }

    func wake() async throws {
      let alarm = try #require(port.alarm)
      clock.advance(by: alarm - clock.now)
      port.clearAlarm()
      await plugin.wake(at: clock.now, horizon: alarm)
    }

    /// What was said since the last time, as people read it.
    func heard() -> [String] {
      var events: [PortEvent] = []
      port.take(into: &events)
      return events.map { event in
        switch event {
        case .fact(let fact, let value, _):
          "\(plugin.manifest.facts[fact].path) \(plugin.manifest.facts[fact].text(of: value))"
        case .outcome(.fault(let text), _): "fault: \(text)"
        default: "\(event)"
        }
      }
    }
  }

  @Test("while nobody reads its facts nothing is said, looked at or waited for")
  func quiet() async throws {
    let stage = try await Stage(try PowerTree(), hearsKernel: true)
    #expect(stage.heard().isEmpty)
    #expect(stage.port.alarm == nil)
    await stage.need("battery.level")
    await stage.need()
    #expect(stage.heard() == ["battery.level 42 %", "battery.level unknown"])
    #expect(stage.port.alarm == nil)
    await stage.plugin.close(at: stage.clock.now)
  }

  @Test("what is read is said at once, and looked at again at its manifest's pace; only news is said")
  func pace() async throws {
    let power = try PowerTree()
    let stage = try await Stage(power)
    let start = stage.clock.now
    await stage.need("battery.level")
    #expect(stage.heard() == ["battery.level 42 %"])
    #expect(stage.port.alarm.map { ($0 - start).seconds.rounded() } == 60)
    try await stage.wake()
    #expect(stage.heard().isEmpty)
    try power.battery("BAT0", capacity: "41", status: "Discharging")
    try await stage.wake()
    #expect(stage.heard() == ["battery.level 41 %"])
    await stage.need("battery.level", "power.source", "battery.charging")
    #expect(stage.heard() == ["battery.charging false", "power.source battery"])
    #expect(stage.port.alarm.map { ($0 - stage.clock.now).seconds.rounded() } == 10)
    await stage.plugin.close(at: stage.clock.now)
    #expect(stage.port.alarm == nil)
  }

  @Test("heat is looked at without power, and power without heat")
  func halves() async throws {
    let power = try PowerTree()
    try power.battery("BAT0", capacity: "garbage", status: "Full")
    try power.zone(0, "cpu", "55000", limits: [("passive", "50000")])
    let stage = try await Stage(power)
    await stage.need("thermal.state", "thermal.temperature")
    #expect(stage.heard() == ["thermal.temperature 55 C", "thermal.state warm"])
    #expect(stage.port.alarm.map { ($0 - stage.clock.now).seconds.rounded() } == 30)
    await stage.plugin.close(at: stage.clock.now)
  }

  @Test("a battery that goes is unknown; garbage is told once, while it stays")
  func losses() async throws {
    let power = try PowerTree()
    let stage = try await Stage(power)
    await stage.need("battery.level")
    _ = stage.heard()
    try power.battery("BAT0", capacity: "nan", status: "Full")
    try await stage.wake()
    let said = stage.heard()
    #expect(said.count == 2)
    #expect(said.first == "battery.level unknown")
    #expect(said.last?.contains("a capacity of “nan” %") == true)
    try await stage.wake()
    #expect(stage.heard().isEmpty)
    try power.battery("BAT0", capacity: "50", status: "Full")
    try await stage.wake()
    #expect(stage.heard() == ["battery.level 50 %"])
    power.tree.remove("sys/class/power_supply")
    try await stage.wake()
    #expect(stage.heard() == ["battery.level unknown"])
    await stage.plugin.close(at: stage.clock.now)
  }

  @Test("F11: it keeps the rules that every plugin follows")
  func conformance() async throws {
    let power = try PowerTree()
    var settings = PowerSupplySettings()
    settings.sys = power.tree.root + "/sys"
    let clock = HandClock()
    let plugin = try PowerSupplyPlugin(settings, hearsKernel: false) { clock.now }
    let report = await PluginConformance.check(plugin, at: clock.now)
    #expect(report.passed, "\(report)")
  }

  @Test(
    "settings that cannot be are refused with a next step",
    arguments: [
      ("sys", "sys", "as in /sys"), ("supply", "../x", "as ls /sys/class"), ("supply", "", "as ls"),
    ])
  func settings(key: String, text: String, step: String) {
    do throws(PluginError) {
      _ = try PowerSupplySettings([key: .text(text)])
      Issue.record("“\(text)” is taken for \(key)")
    } catch {
      #expect(error.nextStep.contains(step))
    }
  }
}
