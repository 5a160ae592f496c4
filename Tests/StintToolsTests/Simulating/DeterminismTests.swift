import StintModel
import StintTestSupport
import StintTools
import StintUnits
import Testing

@Suite struct DeterminismTests {
  @Test(
    "F9 F3 F1: one decision log over two runs, one and two threads, for each seed; sums equal, no watt without cause"
  )
  func seeds() throws {
    let workshop = TemporaryFiles()
    let scenario = try workshop.walk()
    let policy = try workshop.policy()
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
    // Noise differs from seed to seed, so some decisions come at other instants.
    #expect(hashes.count > 1)
  }

  @Test("F9: debug and release, this machine and the next write the same bytes")
  func pinned() throws {
    let workshop = TemporaryFiles()
    let request = SimulationRequest(policies: [try workshop.policy()], scenario: try workshop.walk())
    let report = try SimulationRun(request).run().report
    #expect(report.decisionLogHash == "d0e038538a939bfbac3ff4c1288fa038401d121435cdbb5767c64c66625b76ef")
  }
}
