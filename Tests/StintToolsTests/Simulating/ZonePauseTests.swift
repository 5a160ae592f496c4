import StintAuthoring
import StintLanguage
import StintModel
import StintSimulation
import StintTestSupport
import StintTools
import StintUnits
import Testing

@Suite("Rules that turn off positioning devices inside a zone")
struct ZonePauseTests {
  private let temporaryFiles = TemporaryFiles()
  private static let client = #"{"name": "app", "demands": [{"target": "location.gnss"}]}"#

  private static func text(_ rules: String) -> String {
    """
    policy "p" version 1
    use location.gnss as gps
    use location.wifi as near
    use location.cell as coarse
    zone home = circle 47.05 8.31 radius 150 m
    \(rules)

    """
  }

  /// Three hours at rest in the zone, then 20 min on foot away from it.
  private func run(_ rules: String, _ clients: String = client) throws -> SimulationReport {
    let scenario = try temporaryFiles.file(
      "rest.json",
      """
      {"stint_scenario": 1, "name": "rest", "start": "2026-05-18T09:00:00+02:00", "duration": "200 min",
       "world": {"origin": [47.05, 8.31], "legs": [
         {"activity": "still", "for": "3 h", "sky": "open"},
         {"activity": "walking", "for": "20 min", "speed": "1.4 m/s", "heading": "40 deg", "sky": "open"}]},
       "clients": [\(clients)], "facts": [
         {"at": "0 s", "set": {"app.state": "background", "screen.on": false, "battery.level": "80 %"}}]}
      """)
    let policy = try temporaryFiles.file("p.stint", Self.text(rules))
    let report = try SimulationRun(SimulationRequest(policies: [policy], scenario: scenario)).run().report
    #expect(report.ledger.isBalanced && report.unexplained == .zero)
    return report
  }

  private func check(_ rules: String) throws -> PolicyCheck {
    let vocabulary = Vocabulary(manifests: try DeviceProfile.reference.manifests())
    return PolicyCheck([SourceText(file: "p.stint", text: Self.text(rules))], vocabulary: vocabulary)
  }

  @Test(
    "a rule that turns the receiver off in a zone stays active while Wi-Fi shows that the host is inside",
    arguments: [
      ("rule r while inside(home) { pause gps }", client),
      ("rule r while inside(home) { downgrade gps to 1 per 30 min }", client),
      ("rule r while inside(home) and client.name == \"app\" { stop gps }", client),
      ("rule r while inside(home) { stop gps }\nrule s when gps.speed > 50 m/s { emit \"x\" }", ""),
      ("rule r while inside(home) { stop gps }\nrule s always { start gps }", ""),
    ])
  func stable(rules: String, clients: String) throws {
    let report = try run(rules, clients)
    let use = try #require(report.rules[RuleID(policy: "p", rule: "r")])
    #expect(use.activations == 1, "\(use)")
    // The rule ends within five minutes after the host has left the zone.
    #expect((TimeSpan.minutes(178)...TimeSpan.minutes(187)).contains(use.inForce), "\(use)")
    let predicted = try check(rules).readings.filter { $0.rule.rule == "r" }
      .reduce(Energy.zero) { $0 + $1.maxPerDay }
    let own = report.ledger.byRule[RuleID(policy: "p", rule: "r")] ?? .zero
    #expect(own > .zero && own <= predicted, "\(own) of \(predicted)")
  }

  @Test(
    "a rule acts when the host leaves a zone, also while the receiver works only once per half hour",
    arguments: ["1 per 1 s", "1 per 10 min", "1 per 30 min"])
  func edge(rate: String) throws {
    let client = """
      {"name": "app", "demands": [{"target": "location.gnss",
        "with": {"accuracy": "10 m", "rate": "\(rate)", "background": true}}]}
      """
    let report = try run("rule r when exit(home) { downgrade gps to 100 m for 5 min }", client)
    let use = try #require(report.rules[RuleID(policy: "p", rule: "r")])
    #expect(use.activations == 1 && use.inForce == .minutes(5), "\(use)")
  }

  @Test("a rule that turns all positioning devices off stays active until the host can reach the border")
  func allOff() throws {
    let report = try run("rule r while inside(home) { pause [gps, near, coarse] }")
    let use = try #require(report.rules[RuleID(policy: "p", rule: "r")])
    // At rest, the position is checked about every half hour, and near the border more often.
    #expect((4...10).contains(use.activations), "\(use)")
    #expect((TimeSpan.minutes(178)...TimeSpan.minutes(187)).contains(use.inForce), "\(use)")
  }

  @Test("the readings of two rules end when each rule turns off the device that the other rule reads")
  func mutual() throws {
    let rules = """
      zone work = circle 47.06 8.31 radius 150 m
      rule r while inside(home) { stop gps }
      rule s while inside(work) { stop near }
      """
    let report = try run(rules, "")
    #expect(report.ledger.byClient[ClientID("p")] ?? .zero == .zero)
  }

  @Test(
    "`check` lists positioning devices and the accelerometer only for rules that must locate the host",
    arguments: [
      ("rule r while inside(home) { stop gps }", ["location.cell", "location.wifi"]),
      ("rule r while inside(home) { pause [gps, near] }", ["location.cell"]),
      ("rule r while inside(home) { stop [gps, near, coarse] }", []),
      ("rule r when inside(home) { stop gps for 5 min }", ["location.cell", "location.wifi"]),
      ("rule r when exit(home) { downgrade gps to 100 m for 5 min }", ["location.cell", "location.wifi"]),
      ("require inside(home)", nil),
    ] as [(String, [DeviceID]?)])
  func listed(rules: String, devices: [DeviceID]?) throws {
    let check = try check(rules)
    #expect(!check.hasErrors, "\(check.diagnostics)")
    let places = check.readings.filter(\.isPlace)
    let activities = check.readings.filter { $0.devices == ["motion.accelerometer"] }
    #expect(places.flatMap(\.devices) == devices ?? [], "\(places)")
    #expect(activities.count == (devices == nil ? 0 : 1), "\(activities)")
    for need in places where devices?.count == 2 { #expect(need.guards == ["demanded(location.gnss)"]) }
    if devices == nil {
      let own = try run(rules).ledger.byClient[ClientID("p")] ?? .zero
      #expect(own == .zero, "\(own)")
    }
  }
}
