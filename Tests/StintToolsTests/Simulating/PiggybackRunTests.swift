import StintModel
import StintRuntime
import StintTestSupport
import StintUnits
import Testing

@testable import StintTools

/// Tests piggybacked samples in a run, in its journal and in the answers of `why`.
@Suite("Piggybacked samples in runs") struct PiggybackRunTests {
  private let temporaryFiles = TemporaryFiles()

  private func journal() throws -> (path: String, report: SimulationReport) {
    let scenario = try temporaryFiles.file(
      "company.json",
      """
      {"stint_scenario": 1, "name": "company", "start": "2026-05-16T08:00:00+02:00", "duration": "10 min",
       "world": {"origin": [47.05, 8.31]},
       "clients": [{"name": "chat", "transfers": [{"target": "radio.cellular", "first": "97 s", "every": "113 s",
         "up": "300 B", "down": "300 B", "deadline": "0 s"}]}]}
      """)
    let path = temporaryFiles.path("journal")
    let report = try SimulationRun(
      SimulationRequest(
        policies: [Repository.path("policies/motion-stream.stint")], scenario: scenario, journal: path,
        profile: "pixel5")
    ).run().report
    return (path, report)
  }

  @Test("F16: a journal with piggybacked samples replays to the same decisions")
  func replay() throws {
    let (path, report) = try journal()
    let replay = try ReplayReport(journal: path)
    #expect(replay.decisions == report.decisions && replay.decisions > 60)
    #expect(replay.decisionLogHash == report.decisionLogHash)
    #expect(replay.energy == report.ledger.total)
    #expect(report.wakeups.byDevice["radio.cellular"] == 5)
    // Without messages there are sixty wake-ups. Each of the five messages restarts the latency of ten
    // seconds.
    #expect(report.wakeups.byDevice["motion.accelerometer"] == 58)
    #expect(report.unexplained == .zero)
  }

  @Test("F16: `why` reports the wake-up with which samples were delivered, and its time")
  func why() throws {
    let (path, _) = try journal()
    let before = try WhyQuery.report("motion.accelerometer", at: "08:01", journal: path).text
    #expect(!before.contains("piggybacked"))
    let after = try WhyQuery.report("motion.accelerometer", at: "08:02", journal: path).text
    #expect(after.contains("piggybacked"))
    #expect(after.contains("delivered at 08:01:37"))
    #expect(after.contains("when the processor was awake for chat #"))
  }
}
