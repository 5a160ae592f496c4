import StintGovernor
import StintModel
import StintUnits
import Testing

/// Tests of per-demand rules in several policies, and of the state that they have for each demand.
@Suite struct ClientRulePolicyTests {
  private func policy(_ name: String, _ body: String) -> String {
    "policy \"\(name)\" version 1\nuse test.sensor as sensor\ndefault sensor { linger 0 s }\n" + body
  }

  private func grant(_ bench: GovernorBench, _ client: ClientID) -> Grant? {
    bench.governor.grant(of: client, on: "test.sensor")
  }

  @Test("rules of two policies limit matching demands; a demand that matches both gets the cheaper limit")
  func twoPolicies() throws {
    var bench = try GovernorBench()
    try bench.load(
      policy("p", "rule coarse while client.accuracy >= 50 m { downgrade sensor to 200 m }"),
      policy("q", "rule named while client.name in [\"a\", \"b\"] { downgrade sensor to 100 m }"), at: 0)
    _ = bench.raise("a", DemandSettings(accuracy: 10), at: 1)
    _ = bench.raise("b", DemandSettings(accuracy: 60), at: 1)
    _ = bench.raise("c", DemandSettings(accuracy: 60), at: 1)
    _ = bench.raise("d", DemandSettings(accuracy: 10), at: 1)
    let accuracies = ["a", "b", "c", "d"].map { grant(bench, $0)?.accuracy }
    #expect(accuracies == [100, 200, 200, 10])
    let both = [RuleID(policy: "p", rule: "coarse"), RuleID(policy: "q", rule: "named")]
    let rules = ["a", "b", "c", "d"].map { grant(bench, $0)?.rules }
    #expect(rules == [[both[1]], [both[0]], [both[0]], []])
  }

  @Test("`over` overrides a per-demand rule of another policy only for demands that match the `over` rule")
  func overAcross() throws {
    var bench = try GovernorBench()
    try bench.load(
      policy("p", "rule quiet while client.background { stop sensor }"),
      policy("q", "rule guide over p/quiet while client.name == \"guide\" { batch sensor until 10 s }"), at: 0
    )
    bench.set("app.state", "background", at: 0)
    _ = bench.raise("guide", at: 1)
    _ = bench.raise("other", at: 1)
    #expect(grant(bench, "guide")?.status == .served)
    #expect(grant(bench, "guide")?.holds.count == 1)
    #expect(grant(bench, "other")?.status == .stopped)
  }

  @Test("removing one policy keeps the rules and the state of the other policy")
  func unload() throws {
    let kept = policy("p", "rule tired while client.accuracy >= 50 m for 100 s { pause sensor }")
    let gone = policy("q", "rule named while client.name == \"b\" for 10 s { stop sensor }")
    var bench = try GovernorBench()
    try bench.load(kept, gone, at: 0)
    _ = bench.raise("a", DemandSettings(accuracy: 60), at: 0)
    _ = bench.raise("b", DemandSettings(accuracy: 10), at: 0)
    bench.run(to: 50)
    #expect(grant(bench, "b")?.status == .stopped)
    try bench.load(kept, at: 60)
    #expect(grant(bench, "b")?.status == .served)
    bench.run(to: 99)
    #expect(grant(bench, "a")?.status == .served)
    bench.run(to: 100)
    #expect(grant(bench, "a")?.status == .paused)
  }

  @Test("each demand has its own state of a condition with `release`")
  func latches() throws {
    var bench = try GovernorBench()
    try bench.load(
      policy(
        "p", "rule low while battery.level below 20 % release 30 % and client.may_background { pause sensor }"
      ),
      at: 0)
    bench.set("battery.level", "15 %", at: 0)
    _ = bench.raise("early", at: 1)
    bench.set("battery.level", "25 %", at: 10)
    _ = bench.raise("late", at: 20)
    #expect(grant(bench, "early")?.status == .paused)
    #expect(grant(bench, "late")?.status == .served)
    bench.set("battery.level", "18 %", at: 30)
    #expect(grant(bench, "late")?.status == .paused)
    bench.set("battery.level", "25 %", at: 40)
    #expect(grant(bench, "late")?.status == .paused)
    bench.set("battery.level", "35 %", at: 50)
    #expect(["early", "late"].map { grant(bench, $0)?.status } == [.served, .served])
  }
}
