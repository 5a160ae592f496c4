import StintAuthoring
import StintLanguage
import StintModel
import StintSimulation
import StintTestSupport
import StintTools
import StintUnits
import Testing

@Suite("Rules that watch a zone with chosen devices")
struct ZoneWatchTests {
  private let temporaryFiles = TemporaryFiles()

  /// Four hours: two hours of walking away from the origin and back, then rest at the origin.
  private func run(_ rules: String, home: String = "47.05 8.31") throws -> SimulationReport {
    let scenario = try temporaryFiles.file(
      "walk.json",
      """
      {"stint_scenario": 1, "name": "walk", "start": "2026-05-18T09:00:00+02:00", "duration": "4 h",
       "world": {"origin": [47.05, 8.31], "legs": [
         {"activity": "walking", "for": "1 h", "speed": "1.4 m/s", "heading": "40 deg", "sky": "open"},
         {"activity": "walking", "for": "1 h", "speed": "1.4 m/s", "heading": "220 deg", "sky": "open"},
         {"activity": "still", "for": "2 h", "sky": "open"}]},
       "clients": [], "facts": [
         {"at": "0 s", "set": {"app.state": "background", "screen.on": false, "battery.level": "80 %"}}]}
      """)
    let policy = try temporaryFiles.file("p.stint", Self.policy(rules, home))
    let report = try SimulationRun(SimulationRequest(policies: [policy], scenario: scenario)).run().report
    #expect(report.ledger.isBalanced && report.unexplained == .zero)
    return report
  }

  private static func policy(_ rules: String, _ home: String) -> String {
    """
    policy "p" version 1
    use location.gnss as gps
    use location.wifi as near
    use location.cell as coarse
    zone home = circle \(home) radius 300 m
    \(rules)
    """
  }

  private func joules(_ report: SimulationReport, _ device: DeviceID) -> Double {
    (report.ledger.byDevice[device] ?? .zero).joules
  }

  private static let crossings = """
    rule left when exit(home) { emit "left" }
    rule came when enter(home) { emit "came" }
    """

  @Test("a watch uses only its device; by Wi-Fi, it costs at most as much as conditions that read the zone")
  func watch() throws {
    let read = try run(Self.crossings)
    for device in ["near", "gps"] {
      let watched = try run("rule look always { watch home on \(device) }\n" + Self.crossings)
      for rule in ["left", "came"] {
        #expect(watched.rules[RuleID(policy: "p", rule: rule)]?.activations == 1, "\(device), \(rule)")
      }
      let used: DeviceID = device == "near" ? "location.wifi" : "location.gnss"
      let positioning: [DeviceID] = ["location.cell", "location.wifi", "location.gnss"]
      for other in positioning where other != used { #expect(joules(watched, other) == 0, "\(other)") }
      #expect(joules(watched, used) > 0)
      if device == "near" { #expect(joules(watched, used) <= joules(read, used)) }
    }
  }

  @Test("a watch of a zone 100 km away needs few positions; a stopped device determines no position")
  func cheap() throws {
    let far = try run("rule look always { watch home on near }", home: "48.05 8.31")
    // A host that drives, or whose activity is unknown, may reach the border after 37 min.
    #expect((0.6...5.4).contains(joules(far, "location.wifi")), "\(joules(far, "location.wifi")) J")
    let stopping = """
      rule look always { watch home on near }
      rule saver while battery.level > 50 % { stop near }
      """
    let stopped = try run(stopping)
    for device in ["location.cell", "location.wifi", "location.gnss"] as [DeviceID] {
      #expect(joules(stopped, device) == 0)
    }
    // The conditions that read the zone still need a position, so other devices provide it.
    let shared = try run(stopping + "\n" + Self.crossings)
    #expect(joules(shared, "location.wifi") == 0)
    #expect(joules(shared, "location.cell") + joules(shared, "location.gnss") > 0)
  }

  @Test("`check` lists a watch with its device, guard and energy; a device without positions is refused")
  func listed() throws {
    let vocabulary = Vocabulary(manifests: try DeviceProfile.reference.manifests())
    func check(_ rules: String) -> PolicyCheck {
      PolicyCheck(
        [SourceText(file: "p.stint", text: Self.policy(rules, "47.05 8.31"))], vocabulary: vocabulary)
    }
    let needs = check("rule look while battery.level > 50 % { watch home on near }").readings
    let place = try #require(needs.first { $0.isPlace })
    #expect(place.devices == ["location.wifi"] && place.guards == ["battery.level > 50 %"])
    #expect(place.maxPerDay > .zero)
    #expect(needs.contains { $0.devices == ["motion.accelerometer"] })
    let wrong = check("use motion.accelerometer as accel\nrule look always { watch home on accel }")
    #expect(wrong.diagnostics.contains { $0.code == .verbNotSupported }, "\(wrong.diagnostics)")
  }
}
