import StintTestSupport
import StintTools
import StintUnits
import Testing

@Suite struct BatteryLevelTests {
  @Test("a battery level from the scenario applies at once, even on a phone with a battery gauge")
  func scenarioLevel() throws {
    let temporaryFiles = TemporaryFiles()
    let scenario = try temporaryFiles.file(
      "levels.json",
      """
      {"stint_scenario": 1, "name": "levels", "start": "2026-05-16T08:00:00Z", "duration": "2 h",
       "world": {"origin": [47.05, 8.31]},
       "clients": [{"name": "app", "demands": [{"target": "location.gnss", "with": {"rate": "1 Hz"}}]}],
       "facts": [{"at": "0 s", "set": {"battery.level": "90 %"}}, {"at": "30 min", "set": {"battery.level": "10 %"}},
                 {"at": "90 min", "set": {"battery.level": "80 %"}}]}
      """)
    let policy = try temporaryFiles.file(
      "low.stint",
      """
      policy "low" version 1
      use location.gnss as gps required
      rule low while battery.level below 15 % release 20 % { stop gps }
      """)
    let report = try SimulationRun(SimulationRequest(policies: [policy], scenario: scenario)).run().report
    let low = try #require(report.rules.first { "\($0.key)".contains("low") }?.value)
    #expect(low.inForce == .minutes(60))
    #expect(low.activations == 1)
  }
}
