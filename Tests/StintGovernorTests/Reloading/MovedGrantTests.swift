import StintGovernor
import StintModel
import StintUnits
import Testing

/// Tests that a reload updates the facts about devices, as a step of the governor does.
@Suite("Changed grants after a reload") struct MovedGrantTests {
  @Test("when a reload grants a stopped demand, the facts about its device change at once, as after a step")
  func reload() throws {
    var bench = try GovernorBench()
    try bench.load("policy \"p\"\nuse test.sensor as s\nrule off always { stop s }", at: 0)
    let mark = ServiceOrigin(.moves)
    let demand = Demand(
      id: DemandID(1), client: "app", target: "test.sensor", wants: DemandSettings(accuracy: 10),
      service: mark)
    bench.input(.raise(demand), at: 10)
    let program = try bench.program([
      """
      policy "p"
      use test.sensor as s
      rule seen while used_by(s, moves) { downgrade s to 100 m }
      """
    ])
    // The device has not reported yet, so only the reload itself can cause another evaluation.
    _ = try bench.governor.load(program, at: bench.instant(20))
    #expect(bench.governor.nextTimer == bench.instant(20))
    _ = bench.governor.step([], at: bench.instant(20))
    #expect(bench.governor.rulesInForce == [RuleID(policy: "p", rule: "seen")])
  }
}
