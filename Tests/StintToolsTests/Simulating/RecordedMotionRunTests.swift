import StintModel
import StintTestSupport
import StintUnits
import Testing

@testable import StintTools

@Suite struct RecordedMotionRunTests {
  private let temporaryFiles = TemporaryFiles()

  private func table(_ seconds: Int) throws -> String {
    let rows = (0...(seconds * 50)).map { "\(Double($0) / 50),0,0,9.81,still" }
    return try temporaryFiles.file(
      "motion-\(seconds).csv", (["t_s,ax,ay,az,label"] + rows).joined(separator: "\n") + "\n")
  }

  private func report(_ policy: String, motion: String, profile: String) throws -> SimulationReport {
    let scenario = try temporaryFiles.file(
      "still.json",
      """
      {"stint_scenario": 1, "name": "still", "start": "2026-05-18T00:00:00Z", "duration": "6 h",
       "world": {"origin": [47.05, 8.31]},
       "devices": ["host.app", "host.processor", "motion.accelerometer", "power.battery"]}
      """)
    return try SimulationRun(
      SimulationRequest(
        policies: [Repository.path("policies/\(policy).stint")], scenario: scenario, motion: motion,
        profile: profile)
    ).run().report
  }

  @Test(
    "at 50 Hz and 10 s latency, wake-ups are as rare as latency and queue permit during the whole recording",
    arguments: [("pixel5", 11, 5500), ("m8tracker", 179, 5728)])
  func stream(profile: String, wakes: Int, samples: Int) throws {
    let report = try report("motion-stream", motion: try table(115), profile: profile)
    #expect(report.duration == .seconds(115))
    #expect(report.wakeups.total == wakes)
    #expect(report.deliveries["steps"]?.samples == samples)
  }

  @Test("a client that needs only changes causes no wake-ups for samples, even with a short queue")
  func change() throws {
    let report = try report("motion-change", motion: try table(600), profile: "m8tracker")
    #expect(report.wakeups.total <= 1)
  }

  @Test("an invalid, empty or missing recording is rejected before the run")
  func refusals() throws {
    let torn = try temporaryFiles.file("torn.csv", "t_s,ax,ay,az\n0,0,0,9.8\n1,0,zero,9.8\n")
    let error = #expect(throws: Problem.self) {
      try report("motion-stream", motion: torn, profile: "pixel5")
    }
    #expect(error.map { "\($0)".contains("torn.csv") && "\($0)".contains("zero") } == true)
    let empty = try temporaryFiles.file("empty.csv", "t_s,ax,ay,az\n")
    #expect(throws: Problem.self) { try report("motion-stream", motion: empty, profile: "pixel5") }
    #expect(throws: Problem.self) { try report("motion-stream", motion: "/no/such.csv", profile: "pixel5") }
  }
}
