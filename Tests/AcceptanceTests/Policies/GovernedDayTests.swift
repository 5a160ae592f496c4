import StintModel
import StintRuntime
import StintTestSupport
import StintTools
import StintUnits
import Testing

@Suite(.enabled(if: Tier.current >= .gate)) struct GovernedDayTests {
  @Test(
    "on day-hike, `hiking` saves at least 60 % of the energy and is accurate for at least 95 % of the time")
  func dayHike() throws {
    let none = try SimulationRun(SimulationRequest(policies: [], scenario: "day-hike")).run().report
    let hiking = try SimulationRun(
      SimulationRequest(policies: [Repository.path("policies/hiking.stint")], scenario: "day-hike")
    ).run().report
    let saved = 1 - hiking.ledger.total.joules / none.ledger.total.joules
    #expect(saved >= 0.6)
    #expect(try #require(hiking.accuracy["location.gnss"]?.withinBound) >= 0.95)
    #expect(hiking.transfers.late == 0)
    for report in [none, hiking] {
      #expect(report.ledger.isBalanced)
      #expect(report.unexplained == .zero)
    }
  }

  @Test("N01: sixty messages cost the radio 470.4 J one by one and 10.2 J in one batch, to the nanojoule")
  func sixtyMessages() throws {
    let temporaryFiles = TemporaryFiles()
    let batch = try temporaryFiles.file(
      "batch.stint",
      """
      policy "batch" version 1
      use radio.cellular as cell required
      rule pack always { batch cell until 60 items }
      """)
    let alone = try SimulationRun(SimulationRequest(policies: [], scenario: "sixty-messages")).run().report
    let together = try SimulationRun(SimulationRequest(policies: [batch], scenario: "sixty-messages")).run()
      .report
    // The wake-ups are not included, because the processor is another device. The idle energy of the radio is
    // not included, because `radio` subtracts it.
    #expect(radio(alone, up: .milliseconds(60 * 12_040)) == Energy(joules: 470.4))
    #expect(radio(together, up: .milliseconds(14_400)) == Energy(joules: 10.2))
    #expect(together.transfers.late == 0)
  }

  /// Returns the energy of the radio without its idle energy. `up` is the time for which the radio is not
  /// idle.
  private func radio(_ report: SimulationReport, up: TimeSpan) -> Energy? {
    let idle = Power(nanowatts: 10_000_000).energy(over: report.duration - up, carrying: 0).0
    return report.ledger.byDevice["radio.cellular"].map { $0 - idle }
  }

  private static let trackNames = ["hike_a.csv", "run_a.csv", "geolife_001_2008-10-25_day_a.csv"]

  private static func trackPath(_ name: String) -> String {
    Repository.path("../shared/data/traces/gps/\(name)")
  }

  @Test(
    "under the hiking policy, each recorded track gives fixes, a balanced ledger and complete causes",
    .enabled(if: trackNames.allSatisfy { Folder.entry(at: trackPath($0)) == .file }), arguments: trackNames)
  func recordedTracks(name: String) throws {
    let path = Self.trackPath(name)
    let policy = Repository.path("policies/hiking.stint")
    let report = try SimulationRun(
      SimulationRequest(policies: [policy], scenario: "day-hike", trace: path)
    ).run().report
    #expect(report.ledger.isBalanced)
    #expect(report.unexplained == .zero)
    #expect(report.fixes > 0)
  }

  @Test(
    "each of five shipped policies has a balanced ledger and complete causes if its devices exist",
    arguments: [
      "hiking", "fleet", "mail", "wearable", "warehouse",
    ])
  func shipped(policy: String) throws {
    for scenario in ["commute", "sixty-messages"] {
      let path = Repository.path("policies/\(policy).stint")
      let request = SimulationRequest(policies: [path], scenario: scenario)
      do {
        let report = try SimulationRun(request).run().report
        #expect(report.ledger.isBalanced)
        #expect(report.unexplained == .zero)
      } catch is PolicyRefusal {
        // This scenario lacks a device that the policy requires, so the policy is refused.
        #expect(scenario == "sixty-messages")
      }
    }
  }
}
