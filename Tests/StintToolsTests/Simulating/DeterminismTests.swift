import StintModel
import StintTestSupport
import StintTools
import StintUnits
import Testing

@Suite struct DeterminismTests {
  @Test("F9 F3 F1: for each seed, one and two threads give equal reports with a balanced ledger")
  func seeds() throws {
    let temporaryFiles = TemporaryFiles()
    let scenario = try temporaryFiles.walk()
    let policy = try temporaryFiles.policy()
    var hashes: Set<String> = []
    for seed in Trials(100, fewest: 3).seeds {
      var reports: [SimulationReport] = []
      for threads in [1, 2] {
        let request = SimulationRequest(policies: [policy], scenario: scenario, seed: seed, threads: threads)
        reports.append(try SimulationRun(request).run().report)
      }
      #expect(reports[0] == reports[1])
      #expect(reports[0].ledger.isBalanced)
      #expect(reports[0].unexplained == .zero)
      hashes.insert(reports[0].decisionLogHash)
    }
    // Noise depends on the seed, so some decisions occur at different instants.
    #expect(hashes.count > 1)
  }

  @Test("F9: the decision log has the same hash in debug and release builds, on all computers")
  func pinned() throws {
    let temporaryFiles = TemporaryFiles()
    let request = SimulationRequest(
      policies: [try temporaryFiles.policy()], scenario: try temporaryFiles.walk())
    let report = try SimulationRun(request).run().report
    #expect(report.decisionLogHash == "d0e038538a939bfbac3ff4c1288fa038401d121435cdbb5767c64c66625b76ef")
  }
}
