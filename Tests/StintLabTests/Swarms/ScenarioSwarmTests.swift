import StintRuntime
import Testing

@testable import StintLab
@testable import StintTools

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Tests swarms on a scenario with services. A swarm is a series of runs of one scenario, each with its own
/// seed and random faults.
@Suite struct ScenarioSwarmTests {
  @Test("a swarm of a scenario with services delivers notices and breaks no invariant")
  func services() throws {
    let path = "/tmp/stint-swarm-\(getpid()).json"
    defer { unlink(path) }
    let scenario = """
      {"stint_scenario": 1, "name": "services", "start": "2026-05-16T08:00:00Z", "duration": "30 min",
       "world": {"origin": [47.05, 8.31],
                 "legs": [{"activity": "walking", "for": "30 min", "speed": "1.4 m/s", "heading": "40 deg"}]},
       "clients": [{"name": "trail-app", "services": [
         {"name": "way", "kind": "updates", "with": {"accuracy": "100 m", "background": true}},
         {"name": "stays", "kind": "visits"}]}]}
      """
    try FileText.write(Array(scenario.utf8), to: path)
    let report = try SwarmRun(SimulationRequest(policies: [], scenario: path, seed: 1), count: 2).run()
    #expect(report.findings.isEmpty, "\(report.text)")
    #expect(report.notices > 0)
  }
}
