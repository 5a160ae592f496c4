import StintModel
import StintTestSupport
import StintUnits
import Testing

@testable import StintTools

@Suite("Several clients in one run")
struct SeveralClientsTests {
  private let temporaryFiles = TemporaryFiles()
  /// The first transfer, the period and the deadline of each client, in minutes.
  private let clients = [(1, 15, 10), (4, 20, 12), (7, 30, 15), (11, 25, 10), (13, 15, 8)]

  private func wakeups(_ chosen: Range<Int>) throws -> (count: Int, late: Int) {
    let report = try report(chosen, policy: Repository.path("policies/sync.stint"))
    return (report.wakeups.total, report.transfers.late)
  }

  private func report(_ chosen: Range<Int>, policy: String) throws -> SimulationReport {
    let parts = chosen.map { number in
      let (first, every, deadline) = clients[number]
      return """
        {"name": "client-\(number)", "transfers": [{"target": "radio.cellular", "first": "\(first) min",
          "every": "\(every) min", "up": "20 kB", "down": "5 kB", "deadline": "\(deadline) min"}]}
        """
    }
    let path = try temporaryFiles.file(
      "company.json",
      """
      {"stint_scenario": 1, "name": "company", "start": "2026-05-18T00:00:00Z", "duration": "6 h",
       "world": {"origin": [47.05, 8.31]}, "clients": [\(parts.joined(separator: ", "))]}
      """)
    return try SimulationRun(SimulationRequest(policies: [policy], scenario: path)).run().report
  }

  @Test("transfers that never run are missed; a late transfer counts once, as carried or as missed")
  func missed() throws {
    let never = try temporaryFiles.file(
      "never.stint",
      "policy \"never\" version 1\nuse radio.cellular as cell\nrule off while battery.level > 1 % { stop cell }\n"
    )
    let stopped = try report(0..<1, policy: never).transfers
    #expect(stopped.carried == 0 && stopped.missed > 20 && stopped.late == stopped.missed)
    let served = try report(0..<1, policy: Repository.path("policies/sync.stint")).transfers
    #expect(served.carried > 20 && served.missed == 0 && served.late == 0)
  }

  @Test(
    "F16: five clients in one run need at most half the wake-ups of five runs, and no transfer is late")
  func half() throws {
    let alone = try clients.indices.map { try wakeups($0..<($0 + 1)) }
    let together = try wakeups(clients.indices)
    #expect(together.count * 2 <= alone.reduce(0) { $0 + $1.count })
    #expect(together.count > 0)
    #expect(together.late == 0)
  }

  /// Four clients with a demand for a sensor and a latency, and one client with transfers.
  private static let mixed = [
    """
    {"name": "steps", "demands": [{"target": "motion.accelerometer", "with": {"rate": "1 Hz", "latency": "60 s"}}]}
    """,
    """
    {"name": "compass", "demands": [{"target": "motion.magnetometer", "with": {"rate": "1 Hz", "latency": "70 s"}}]}
    """,
    """
    {"name": "turns", "demands": [{"target": "motion.gyro", "with": {"rate": "1 Hz", "latency": "80 s"}}]}
    """,
    """
    {"name": "trail", "demands": [{"target": "location.gnss", "with": {"rate": "1 per 10 s", "latency": "90 s"}}]}
    """,
    """
    {"name": "chat", "transfers": [{"target": "radio.cellular", "first": "20 s", "every": "65 s", "up": "300 B",
      "down": "300 B", "deadline": "0 s"}]}
    """,
  ]

  private func mixedWakeups(_ clients: [String]) throws -> Int {
    let path = try temporaryFiles.file(
      "mixed.json",
      """
      {"stint_scenario": 1, "name": "mixed", "start": "2026-05-18T00:00:00Z", "duration": "1 h",
       "world": {"origin": [47.05, 8.31]},
       "devices": ["host.app", "host.processor", "location.gnss", "motion.accelerometer", "motion.gyro",
         "motion.magnetometer", "power.battery", "radio.cellular"],
       "clients": [\(clients.joined(separator: ", "))]}
      """)
    return try SimulationRun(SimulationRequest(policies: [], scenario: path)).run().report.wakeups.total
  }

  @Test("F16: sensors with latency and a radio in one run need at most half the wake-ups of separate runs")
  func sensorsAndRadio() throws {
    let alone = try Self.mixed.map { try mixedWakeups([$0]) }
    let together = try mixedWakeups(Self.mixed)
    #expect(together * 2 <= alone.reduce(0, +), "\(together) instead of \(alone)")
    #expect(together > 0)
  }
}
