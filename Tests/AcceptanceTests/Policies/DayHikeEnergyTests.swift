import StintModel
import StintTestSupport
import StintTools
import StintUnits
import Testing

/// The energy of each shipped policy on the day's hike, as a snapshot.
@Suite("Energy of the shipped policies", .enabled(if: Tier.current >= .gate))
struct DayHikeEnergyTests {
  /// The energy of ten hours in joules, rounded up. Without a policy, the day costs 8742 J.
  private static let recorded: KeyValuePairs = [
    "camera-trap": 4171, "cold-chain": 3907, "collar": 3633, "courier": 7597, "drone-station": 7120,
    "ebike": 3952, "fleet": 1755, "hiking": 2543, "home-presence": 8743, "ladder": 2507, "mail": 8496,
    "motion-change": 8742, "motion-stream": 8742, "sync": 8381, "track-100": 2337, "track-50": 2498,
    "warehouse": 1495, "wearable": 3509,
  ]

  @Test("each shipped policy costs the recorded energy on day-hike, rounded up to a joule")
  func snapshot() throws {
    #expect(Self.recorded.map(\.key) == ShippedPolicyTests.names)
    for (policy, recorded) in Self.recorded {
      let report = try SimulationRun(
        SimulationRequest(policies: [Repository.path("policies/\(policy).stint")], scenario: "day-hike")
      ).run().report
      #expect(report.ledger.isBalanced)
      let joules = report.ledger.total.joules
      #expect(
        joules <= Double(recorded) && joules > Double(recorded) - 1,
        "\(policy): \(joules) J, recorded \(recorded) J")
    }
  }
}
