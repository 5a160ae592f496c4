import StintAuthoring
import StintLanguage
import StintModel
import StintSimulation
import StintTestSupport
import StintTools
import StintUnits
import Testing

@Suite("Readings on a simulated day")
struct ReadingCaseTests {
  private let temporaryFiles = TemporaryFiles()

  /// Simulates four hours with a walk, a rest and a drive. Without `clients`, no client demands a sensor.
  private func run(_ rules: String, _ clients: String = "", reloads: Int = 0) throws -> SimulationReport {
    let scenario = try temporaryFiles.file(
      "quiet.json",
      """
      {"stint_scenario": 1, "name": "quiet", "start": "2026-05-18T09:00:00+02:00", "duration": "4 h",
       "world": {"origin": [47.05, 8.31], "legs": [
         {"activity": "walking", "for": "1 h", "speed": "1.4 m/s", "heading": "40 deg", "sky": "open"},
         {"activity": "still", "for": "90 min", "sky": "open"},
         {"activity": "automotive", "for": "90 min", "speed": "14 m/s", "heading": "40 deg", "sky": "open"}]},
       "clients": [\(clients)], "facts": [
         {"at": "0 s", "set": {"app.state": "background", "screen.on": false, "battery.level": "80 %"}}]}
      """)
    let policy = try temporaryFiles.file("p.stint", Self.text(rules))
    return try SimulationRun(
      SimulationRequest(policies: [policy], scenario: scenario, reloads: reloads)
    ).run().report
  }

  private static func text(_ rules: String) -> String {
    "policy \"p\" version 1\nuse location.gnss as gps\n\(rules)\n"
  }

  @Test(
    "requirements, limiting rules, tests for missing values, and facts in `false and FACT` cost 0 J",
    arguments: [
      "require gps.speed < 50 m/s",
      "rule r when battery.level < 10 % and gps.speed > 5 m/s for 1 min { emit \"x\" }",
      "rule r when battery.level < 10 % and gps.speed > 5 m/s in last 10 min { emit \"x\" }",
      "rule r when battery.level < 10 % and gps.speed above 5 m/s release 2 m/s { emit \"x\" }",
      "rule r when battery.level < 10 % and max(gps.speed, 5 min) > 5 m/s { emit \"x\" }",
      "rule r when battery.level < 10 % and age(gps.speed) > 1 min { emit \"x\" }",
      "rule r when not known(gps.latitude) for 30 min { emit \"x\" }",
      "rule r while motion.activity is still { pause gps }",
    ])
  func free(rules: String) throws {
    let report = try run(rules)
    #expect(report.ledger.byDevice["location.gnss"] ?? .zero == .zero)
    #expect(report.ledger.byDevice["motion.accelerometer"] ?? .zero == .zero)
    #expect(report.ledger.byClient[ClientID("p")] ?? .zero == .zero)
    #expect(report.wakeups.total == 0)
    if rules.contains("for 30 min") {
      // This rule tests whether a fact is missing, so the rule must act although nothing measures the fact.
      #expect(report.rules[RuleID(policy: "p", rule: "r")]?.activations == 1)
    }
  }

  @Test(
    "facts in `true and FACT` cost between two thirds and all of the energy that `check` predicts",
    arguments: [
      "gps.speed > 5 m/s for 1 min", "gps.speed > 5 m/s in last 10 min",
      "gps.speed above 5 m/s release 2 m/s", "max(gps.speed, 5 min) > 5 m/s",
    ])
  func predicted(condition: String) throws {
    let rules = "rule r when battery.level < 90 % and \(condition) { emit \"x\" }"
    let check = PolicyCheck(
      [SourceText(file: "p.stint", text: Self.text(rules))],
      vocabulary: Vocabulary(manifests: try ReferencePhone.manifests()))
    let perDay = check.readings.reduce(Energy.zero) { $0 + $1.maxPerDay }
    let simulated = try run(rules).ledger.byClient[ClientID("p")] ?? .zero
    // The simulation lasts a sixth of a day.
    #expect(simulated * 6 <= perDay && simulated * 9 >= perDay, "\(simulated) of \(perDay)")
  }

  @Test(
    "200 reloads of the same policy cost no energy, cause no wake-up, and change no decision",
    arguments: [
      "rule r when motion.activity is still for 5 min { emit \"x\" }",
      "zone home = circle 47.05 8.31 radius 300 m\nrule r when enter(home) or exit(home) { emit \"x\" }",
      "rule r when gps.speed > 5 m/s in last 10 min at most 1 per h { emit \"x\" }",
    ])
  func reloads(rules: String) throws {
    let (plain, reloaded) = (try run(rules), try run(rules, reloads: 200))
    #expect(plain.ledger.byClient[ClientID("p")] ?? .zero > .zero)
    #expect(plain.wakeups == reloaded.wakeups)
    #expect(plain.ledger == reloaded.ledger)
    #expect(plain.rules == reloaded.rules)
    #expect(plain.decisionLogHash == reloaded.decisionLogHash)
  }

  @Test("200 reloads move no energy between the clients of a shared sensor, to the nanojoule")
  func sharedReloads() throws {
    let demands = ["10 m", "20 m", "30 m"].enumerated().map { number, accuracy in
      "{\"name\": \"app \(number)\", \"demands\": [{\"target\": \"location.gnss\", "
        + "\"with\": {\"accuracy\": \"\(accuracy)\"}}]}"
    }
    let rules = "rule r when gps.speed > 5 m/s { emit \"x\" }"
    let clients = demands.joined(separator: ", ")
    let (plain, reloaded) = (try run(rules, clients), try run(rules, clients, reloads: 200))
    #expect(plain.ledger.byClient.count > 3)
    #expect(plain.ledger == reloaded.ledger)
  }
}
