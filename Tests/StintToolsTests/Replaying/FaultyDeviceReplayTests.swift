import StintGovernor
import StintJournal
import StintModel
import StintRuntime
import StintTestSupport
import StintTools
import StintUnits
import Testing

/// Replays of recordings in which devices are late, noisy or missing, or send duplicates. Real devices have
/// these faults.
@Suite("Replays of imperfect devices") struct FaultyDeviceReplayTests {
  private let temporaryFiles = TemporaryFiles()

  private func scenario(_ faults: String) throws -> String {
    try temporaryFiles.file(
      "hardware.json",
      """
      {"stint_scenario": 1, "name": "hardware", "start": "2026-05-16T08:00:00+02:00", "duration": "30 min",
       "world": {"origin": [47.05, 8.31],
                 "legs": [{"activity": "walking", "for": "10 min", "speed": "1.4 m/s", "heading": "40 deg"},
                          {"activity": "still", "for": "20 min"}]},
       "clients": [{"name": "trail-app",
                    "demands": [{"target": "location.gnss", "with": {"accuracy": "10 m", "rate": "1 Hz"}},
                                {"target": "motion.accelerometer", "with": {"rate": "10 Hz"}}]}],
       "facts": [{"at": "0 s", "set": {"app.state": "background"}}],
       "faults": [\(faults)]}
      """)
  }

  @Test(
    "X06: a journal of devices that jitter and fail replays to the same decisions without devices",
    arguments: [
      "{\"device\": \"location.gnss\", \"at\": \"2 min\", \"for\": \"3 min\", \"kind\": \"late\", \"by\": \"700 ms\"}",
      "{\"device\": \"location.gnss\", \"at\": \"2 min\", \"for\": \"3 min\", \"kind\": \"clock\", \"by\": \"2 s\"}",
      "{\"device\": \"location.gnss\", \"at\": \"2 min\", \"for\": \"9 min\", \"kind\": \"duplicated\"}",
      "{\"device\": \"motion.accelerometer\", \"at\": \"3 min\", \"for\": \"5 min\", \"kind\": \"crash\"}",
      "{\"device\": \"location.gnss\", \"at\": \"1 min\", \"for\": \"8 min\", \"kind\": \"noisy\"}",
    ])
  func replay(faults: String) throws {
    let path = temporaryFiles.path("journal")
    let request = SimulationRequest(
      policies: [try temporaryFiles.policy()], scenario: try scenario(faults), journal: path)
    let report = try SimulationRun(request).run().report
    let replay = try ReplayReport(journal: path)
    #expect(report.decisions > 0)
    #expect(replay.decisions == report.decisions)
    #expect(replay.decisionLogHash == report.decisionLogHash)
    #expect(replay.energy == report.ledger.total)
  }
}
