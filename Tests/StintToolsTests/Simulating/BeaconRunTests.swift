import StintFormats
import StintLanguage
import StintModel
import StintRuntime
import StintTestSupport
import StintTools
import StintUnits
import Testing

/// Simulations with beacons. The manifest of the scanner has a fact for each beacon.
@Suite("Simulated runs with beacons") struct BeaconRunTests {
  private static let scenario = """
    {"stint_scenario": 1, "name": "till", "start": "2026-05-18T00:00:00Z", "duration": "1 h",
     "devices": ["radio.ble", "location.gnss"],
     "world": {"origin": [47.05, 8.31], "legs": [
       {"activity": "still", "for": "20 min", "sky": "indoors"},
       {"activity": "walking", "for": "40 min", "speed": "1.4 m/s", "heading": "40 deg", "sky": "open"}]},
     "beacons": [{"identity": "till", "major": 7, "minor": 9, "at": [47.05, 8.31], "range": "30 m"}], "clients": []}
    """
  private static let policy = """
    policy "beacon" version 1
    use radio.ble as ble
    zone till = beacon "till" major 7
    rule here while heard(till) { start location.gnss for "till" with { accuracy 50 m } }
    """

  @Test("a rule reads the zone of a beacon while the host is near it, and no longer than 7 min afterwards")
  func heard() throws {
    let files = TemporaryFiles()
    let request = SimulationRequest(
      policies: [try files.file("beacon.stint", Self.policy)],
      scenario: try files.file("till.json", Self.scenario), seed: 1)
    let report = try SimulationRun(request).run().report
    let rule = try #require(report.rules[RuleID(policy: "beacon", rule: "here")])
    #expect((19 * 60...27 * 60 + 30).contains(rule.inForce.seconds), "\(rule)")
  }

  @Test("the journal of a run with a scanner contains a complete manifest of each device")
  func manifests() throws {
    let files = TemporaryFiles()
    let stage = try SimulationStage(
      scenario: try files.file("till.json", Self.scenario), trace: nil, timeZone: nil, seed: 1)
    let manifests = try stage.journalWorld.manifests.map { text in
      try ManifestReader.manifest(of: Array(text.utf8), source: "journal")
    }
    #expect(manifests == stage.vocabulary.manifests)
    #expect(manifests.contains { $0.facts.contains { $0.path == "beacon.till.7" } })
  }
}
