import StintModel
import StintRuntime
import StintTestSupport
import StintTools
import StintUnits
import Testing

@Suite("Transfers that wait for the first value of a reading")
struct AwaitedReadingTests {
  private let temporaryFiles = TemporaryFiles()

  private func report(
    _ rule: String, activity: String, deadline: String = "30 min", journal: String? = nil
  ) throws -> SimulationReport {
    let scenario = try temporaryFiles.file(
      "day.json",
      """
      {"stint_scenario": 1, "name": "day", "start": "2026-05-18T09:00:00+02:00", "duration": "2 h",
       "world": {"origin": [47.05, 8.31], "legs": [\(activity)]},
       "devices": ["host.app", "host.processor", "location.gnss", "motion.accelerometer", "radio.cellular"],
       "clients": [{"name": "mail", "transfers": [{"target": "radio.cellular", "first": "5 min",
         "every": "3 min", "up": "1 kB", "down": "20 kB", "deadline": "\(deadline)"}]}],
       "facts": [{"at": "0 s", "set": {"app.state": "background", "screen.on": false}}]}
      """)
    let policy = try temporaryFiles.file(
      "p.stint",
      "policy \"p\" version 1\nuse radio.cellular as cell\nuse location.gnss as gps\n\(rule)\n")
    return try SimulationRun(SimulationRequest(policies: [policy], scenario: scenario, journal: journal))
      .run().report
  }

  private static let still = #"{"activity": "still", "for": "2 h"}"#
  private static let walking = #"{"activity": "walking", "for": "2 h", "speed": "1.4 m/s"}"#
  private static let none = "rule r while screen.on { batch cell until 15 min }"
  private static let rule = "rule r while motion.activity is still { batch cell until 15 min }"
  private static let name = RuleID(policy: "p", rule: "r")

  @Test(
    "a `batch` or `defer` of a radio that reads the activity delays transfers, without another client",
    arguments: [
      rule, "rule r while motion.activity is still { defer cell until screen.on deadline 15 min }",
    ])
  func holds(rule: String) throws {
    let (with, without) = (
      try report(rule, activity: Self.still), try report(Self.none, activity: Self.still)
    )
    #expect(without.transfers.longestWait == .zero && with.transfers.longestWait == .minutes(15))
    // A batch joins transfers, and `defer` delays each transfer individually.
    let isBatch = rule.contains("batch")
    #expect(without.wakeups.total > 35 && (with.wakeups.total < 15) == isBatch, "\(with.wakeups.total)")
    #expect(try #require(with.rules[Self.name]).inForce > .minutes(80))
    #expect(with.transfers.late == 0 && with.transfers.carried > 30)
    #expect(!isBatch || with.ledger.total < without.ledger.total)
  }

  @Test("a transfer that no rule delays after the first value waits at most for the first value: 3 s")
  func walking() throws {
    let report = try report(Self.rule, activity: Self.walking)
    #expect(report.transfers.longestWait <= .seconds(3), "\(report.transfers.longestWait)")
    #expect(report.transfers.carried == 39, "\(report.transfers.carried)")
  }

  @Test("`why` names the rule and the time for which a transfer waits for the first value")
  func why() throws {
    let journal = temporaryFiles.path("j")
    _ = try report(Self.rule, activity: Self.still, journal: journal)
    let text = try WhyQuery.report("radio.cellular", at: "09:05:01", journal: journal).text
    #expect(text.contains("transfers wait up to 3 s for the first value"), "\(text)")
    let later = try WhyQuery.report("radio.cellular", at: "09:06", journal: journal).text
    #expect(later.contains("limited by   p/r") && !later.contains("first value"), "\(later)")
  }

  @Test("an urgent transfer does not wait")
  func urgent() throws {
    let report = try report(Self.rule, activity: Self.still, deadline: "0 s")
    #expect(report.transfers.longestWait == .zero && report.transfers.late == 0)
  }

  @Test("no transfer waits for a value that cannot bring the rule into force")
  func decided() throws {
    let rule =
      "rule r while motion.activity is still and not radio.cellular.on and gps.on { batch cell until 15 min }"
    let report = try report(rule, activity: Self.walking)
    #expect(report.transfers.longestWait == .zero, "\(report.transfers.longestWait)")
  }

  @Test("no transfer waits for a zone, whose value the accelerometer does not publish")
  func zone() throws {
    let rule = """
      zone home = circle 48.05 8.31 radius 300 m
      rule r while inside(home) { batch cell until 15 min }
      """
    let report = try report(rule, activity: Self.walking)
    #expect(report.transfers.longestWait == .zero, "\(report.transfers.longestWait)")
  }

  @Test("no transfer waits for a receiver that needs longer than 10 s for its first value")
  func receiver() throws {
    let report = try report(
      "rule r while gps.speed < 1 m/s { batch cell until 15 min }", activity: Self.still)
    #expect(report.transfers.longestWait == .zero, "\(report.transfers.longestWait)")
    #expect((report.ledger.byDevice["location.gnss"] ?? .zero).joules < 20)
  }
}
