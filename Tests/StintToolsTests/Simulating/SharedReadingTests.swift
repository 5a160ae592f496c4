import StintModel
import StintTestSupport
import StintTools
import StintUnits
import Testing

@Suite("The energy of a reading beside clients of the same sensor")
struct SharedReadingTests {
  private let temporaryFiles = TemporaryFiles()
  private static let slow = client("slow", "1 per 10 min")
  private static let fast = client("fast", "1 Hz")

  private static func client(_ name: String, _ rate: String, _ more: String = "") -> String {
    """
    {"name": "\(name)", "demands": [{"target": "SENSOR",
      "with": {"accuracy": "10 m", "rate": "\(rate)", "background": true\(more)}}]}
    """
  }

  /// Simulates two hours of driving at 10 m/s.
  private func report(
    _ condition: String, beside clients: String..., on sensor: String = "location.gnss"
  ) throws -> SimulationReport {
    let clients = clients.map { $0.replacing("SENSOR", with: sensor) }
    let scenario = try temporaryFiles.file(
      "drive.json",
      """
      {"stint_scenario": 1, "name": "drive", "start": "2026-05-18T09:00:00+02:00", "duration": "2 h",
       "world": {"origin": [47.05, 8.31], "legs": [
         {"activity": "automotive", "for": "2 h", "speed": "10 m/s", "sky": "open", "wifi": true}]},
       "clients": [\(clients.joined(separator: ", "))],
       "facts": [{"at": "0 s", "set": {"app.state": "background", "screen.on": false}}]}
      """)
    let policy = try temporaryFiles.file(
      "p.stint", "policy \"p\" version 1\nrule r when \(condition) { emit \"x\" }\n")
    let report = try SimulationRun(SimulationRequest(policies: [policy], scenario: scenario)).run().report
    #expect(report.ledger.isBalanced && report.unexplained == .zero)
    return report
  }

  private func joules(_ report: SimulationReport, of client: ClientID) -> Double {
    (report.ledger.byClient[client] ?? .zero).joules
  }

  @Test(
    "beside a rule that reads its sensor, a slow client pays at most its own price, and wakes as often",
    arguments: ["location.gnss.on and location.gnss.speed > 40 m/s", "location.gnss.speed > 40 m/s"])
  func slowClient(condition: String) throws {
    let alone = try report("screen.on", beside: Self.slow)
    let beside = try report(condition, beside: Self.slow)
    #expect((6...8).contains(joules(alone, of: "slow")), "\(joules(alone, of: "slow")) J")
    #expect((1...7).contains(joules(beside, of: "slow")), "\(joules(beside, of: "slow")) J")
    #expect(alone.wakeups.total == 12 && beside.wakeups.total == 12, "\(beside.wakeups.total)")
    // The client gets the same number of samples, and none of them later.
    let samples = [alone, beside].map { $0.deliveries["slow"]?.samples }
    let gaps = [alone, beside].map { $0.deliveries["slow"]?.worstGap }
    #expect(samples == [12, 12] && gaps == [.minutes(10), .minutes(10)], "\(samples) \(gaps)")
    #expect(joules(beside, of: "p") > 400)
  }

  @Test("a reading alone wakes the processor at most twice in two hours")
  func readingAlone() throws {
    let report = try report("location.gnss.speed > 40 m/s")
    #expect(report.wakeups.total <= 2, "\(report.wakeups.total)")
  }

  @Test("beside a fast client, a reading adds no wake-up and no energy, with and without a slow client")
  func fastClient() throws {
    let condition = "location.gnss.speed > 40 m/s"
    for others in [[Self.fast], [Self.fast, Self.slow]] {
      let client = others.joined(separator: ", ")
      let (without, with) = (try report("screen.on", beside: client), try report(condition, beside: client))
      #expect(with.wakeups.total == without.wakeups.total)
      #expect(abs((with.ledger.total - without.ledger.total).joules) < 0.1)
      #expect(joules(with, of: "fast") <= joules(without, of: "fast"))
      #expect(joules(with, of: "slow") <= joules(without, of: "slow"))
    }
  }

  @Test("a client that accepts a delay does not pay for the wake-ups of a slow client without a delay")
  func delayedClient() throws {
    let delayed = Self.client("delayed", "1 Hz", ", \"latency\": \"5 min\"")
    let alone = try report("screen.on", beside: delayed)
    let both = try report("screen.on", beside: delayed, Self.slow)
    #expect(alone.wakeups.total <= 25, "\(alone.wakeups.total)")
    #expect(both.wakeups.total <= alone.wakeups.total + 13, "\(both.wakeups.total)")
    #expect(joules(both, of: "delayed") <= joules(alone, of: "delayed"))
    #expect(both.deliveries["slow"]?.samples == 12 && both.deliveries["slow"]?.worstGap == .minutes(10))
  }

  @Test("wake-ups for samples of a sensor without a FIFO that only a rule uses are charged to the rule")
  func withoutMemory() throws {
    let alone = try report("screen.on", beside: Self.slow, on: "location.wifi")
    let beside = try report("location.wifi.speed > 40 m/s", beside: Self.slow, on: "location.wifi")
    #expect(alone.wakeups.total > 5 && beside.wakeups.total > 2 * alone.wakeups.total)
    #expect(joules(beside, of: "slow") <= joules(alone, of: "slow"))
    let added = beside.ledger.total - alone.ledger.total
    #expect(joules(beside, of: "p") >= added.joules)
  }
}
