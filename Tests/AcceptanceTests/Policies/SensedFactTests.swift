import StintModel
import StintRuntime
import StintSimulation
import StintTestSupport
import StintTools
import StintUnits
import Testing

/// Checks when rules that read facts of a sensor are in force. The times must be nearly the same with and
/// without other clients of this sensor.
@Suite("Facts on demand", .enabled(if: Tier.current >= .gate))
struct SensedFactTests {
  private let temporaryFiles = TemporaryFiles()

  /// Runs the day's hike with an app that demands positions, and with or without a client of the
  /// accelerometer.
  private func run(_ policy: String, withStepCounter: Bool) throws -> SimulationReport {
    let day = Repository.path("Sources/StintSimulation/Resources/day-hike.json")
    var text = String(decoding: try FileText.read(day), as: UTF8.self)
    if !withStepCounter {
      let counter = try #require(text.firstRange(of: "    {\n      \"name\": \"step-counter\""))
      let next = try #require(text.firstRange(of: "    {\n      \"name\": \"mail\""))
      text.removeSubrange(counter.lowerBound..<next.lowerBound)
    }
    let scenario = try temporaryFiles.file("day.json", text)
    return try SimulationRun(
      SimulationRequest(policies: [Repository.path("policies/\(policy).stint")], scenario: scenario)
    ).run().report
  }

  @Test(
    "each shipped rule is in force equally long, within 3 min, with and without a client of the sensor",
    arguments: ShippedPolicyTests.names)
  func pairs(policy: String) throws {
    let shared = try run(policy, withStepCounter: true)
    let alone = try run(policy, withStepCounter: false)
    for (rule, activity) in shared.rules {
      let other = try #require(alone.rules[rule])
      // At ten samples a second, a change of gait is detected some seconds earlier than at one sample a
      // second. The times for which a rule is in force therefore differ slightly.
      #expect(abs((activity.inForce - other.inForce).seconds) <= 180, "\(rule)")
      #expect(activity.activations == 0 || other.activations > 0, "\(rule)")
    }
    #expect(alone.ledger.isBalanced && alone.unexplained == .zero)
  }

  @Test(
    "a policy that does not require an accelerometer loads and runs on a phone without accelerometer",
    arguments: [
      "collar", "courier", "drone-station", "fleet", "hiking", "home-presence", "ladder", "mail", "sync",
      "track-100", "track-50", "warehouse",
    ])
  func withoutAccelerometer(policy: String) throws {
    let day = Repository.path("Sources/StintSimulation/Resources/day-hike.json")
    var text = String(decoding: try FileText.read(day), as: UTF8.self)
    let counter = try #require(text.firstRange(of: "    {\n      \"name\": \"step-counter\""))
    let next = try #require(text.firstRange(of: "    {\n      \"name\": \"mail\""))
    text.removeSubrange(counter.lowerBound..<next.lowerBound)
    let devices = try ReferencePhone.manifests().map(\.device.path).filter { $0 != "motion.accelerometer" }
    let list = devices.map { "\"\($0)\"" }.joined(separator: ", ")
    let start = try #require(text.firstRange(of: "\"duration\""))
    text.insert(contentsOf: "\"devices\": [\(list)],\n  ", at: start.lowerBound)
    let report = try SimulationRun(
      SimulationRequest(
        policies: [Repository.path("policies/\(policy).stint")],
        scenario: try temporaryFiles.file("without.json", text))
    ).run().report
    #expect(report.ledger.isBalanced && report.unexplained == .zero)
    #expect(report.ledger.byDevice["motion.accelerometer"] == nil)
    #expect(report.rules.values.contains { $0.activations > 0 })
  }

  @Test("the hiking policy detects 175 minutes of rest without other clients, and pays 2.1 J for the sensing")
  func hiking() throws {
    let alone = try run("hiking", withStepCounter: false)
    let still = try #require(alone.rules[RuleID(policy: "hiking", rule: "still")])
    #expect(still.activations == 8 && (174...176).contains(still.inForce.seconds / 60))
    let joules = try #require(alone.ledger.byDevice["motion.accelerometer"]).joules
    #expect((2...2.2).contains(joules))
    // A rule with `batch` for this device and a rule that reads facts of this device share the cost.
    #expect(try #require(alone.ledger.byRule[RuleID(policy: "hiking", rule: "still")]).joules >= 1)
  }
}
