import StintModel
import StintPluginKit
import StintUnits
import Testing

@testable import StintPowerSupply

@Suite("power supply: the plugin on a simulated sysfs")
struct PowerSupplyPluginTests {
  /// A plugin on a simulated machine, with the port that collects the plugin's events.
  private struct Stage {
    let plugin: PowerSupplyPlugin
    let port: DevicePort
    let clock = ManualClock()
    /// The tree of files, which is deleted with its last reference.
    let power: PowerTree

    init(_ power: PowerTree, hearsKernel: Bool = false) async throws {
      self.power = power
      var settings = PowerSupplySettings()
      settings.timeout = .seconds(60)
      settings.sys = power.tree.root + "/sys"
      let clock = clock
      plugin = try PowerSupplyPlugin(settings, hearsKernel: hearsKernel) { clock.now }
      port = DevicePort(manifest: plugin.manifest)
      try await plugin.open(port, at: clock.now)
    }

    func read() async { await plugin.read(at: clock.now) }

    /// Returns the events since the last call, as text.
    func heard() -> [String] {
      var events: [PortEvent] = []
      port.drainEvents(into: &events)
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

  @Test("without a request, the plugin publishes nothing and sets no alarm")
  func quiet() async throws {
    let stage = try await Stage(try PowerTree(), hearsKernel: true)
    #expect(stage.heard().isEmpty)
    #expect(stage.port.alarm == nil)
    await stage.plugin.close(at: stage.clock.now)
    #expect(stage.heard().isEmpty)
  }

  @Test("each request publishes every fact; facts without a value are unknown")
  func reading() async throws {
    let power = try PowerTree()
    try power.thermalZone(0, "cpu", "55000", limits: [("passive", "50000")])
    let stage = try await Stage(power)
    await stage.read()
    let all = [
      "battery.level 42 %", "battery.charging false", "battery.power unknown", "power.source battery",
      "thermal.temperature 55 C", "thermal.state warm",
    ]
    #expect(stage.heard() == all)
    await stage.read()
    #expect(stage.heard() == all)
    #expect(stage.port.alarm == nil, "the next read needs a request of the governor")
    await stage.plugin.close(at: stage.clock.now)
  }

  @Test("the manifest is valid and declares for each fact how it is read on request")
  func manifest() throws {
    let plugin = try PowerSupplyPlugin(PowerSupplySettings()) { Instant(nanoseconds: 0) }
    #expect(plugin.manifest.faults().isEmpty)
    for fact in plugin.manifest.facts { #expect(fact.reading != nil, "\(fact.path)") }
  }

  @Test("the facts of a removed battery are unknown, and an invalid value is reported once")
  func losses() async throws {
    let power = try PowerTree()
    let stage = try await Stage(power)
    await stage.read()
    _ = stage.heard()
    try power.battery("BAT0", capacity: "nan", status: "Full")
    await stage.read()
    let said = stage.heard()
    #expect(said.first == "battery.level unknown")
    #expect(said.last?.contains("capacity “nan” %") == true)
    await stage.read()
    #expect(stage.heard().count == 6, "six facts, and no second fault")
    try power.battery("BAT0", capacity: "50", status: "Full")
    await stage.read()
    #expect(stage.heard().first == "battery.level 50 %")
    power.tree.remove("sys/class/power_supply")
    await stage.read()
    #expect(stage.heard().first == "battery.level unknown")
    await stage.plugin.close(at: stage.clock.now)
  }

  @Test("F11: the plugin passes the conformance check")
  func conformance() async throws {
    let power = try PowerTree()
    var settings = PowerSupplySettings()
    settings.timeout = .seconds(60)
    settings.sys = power.tree.root + "/sys"
    let clock = ManualClock()
    let plugin = try PowerSupplyPlugin(settings, hearsKernel: false) { clock.now }
    let report = await PluginConformance.check(plugin, at: clock.now)
    #expect(report.passed, "\(report)")
  }

  @Test(
    "invalid settings are rejected, and the message names the correction",
    arguments: [
      ("sys", "sys", "such as /sys"), ("supply", "../x", "that ls /sys/class"), ("supply", "", "that ls"),
    ])
  func settings(key: String, text: String, step: String) {
    do throws(Problem) {
      _ = try PowerSupplySettings([key: .text(text)])
      Issue.record("“\(text)” is accepted for \(key)")
    } catch {
      #expect(error.remedy.contains(step))
    }
  }
}
