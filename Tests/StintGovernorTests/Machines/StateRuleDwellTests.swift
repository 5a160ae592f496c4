import StintGovernor
import StintModel
import Testing

@Suite("“for” in a rule of a state")
struct StateRuleDwellTests {
  /// Returns a bench with a rule in state `b`, which the machine enters when the battery falls below 50 %.
  /// The activity is walking from second 1 on.
  private static func bench(_ rule: String) throws -> GovernorBench {
    var bench = try GovernorBench()
    try bench.load(
      """
      policy "p"
      let walks = motion.activity is walking
      machine m starts a {
        state a { goto b when battery.level < 50 % }
        state b {
          \(rule)
          goto a when battery.level > 90 %
        }
      }
      """, at: 0)
    bench.set("motion.activity", "walking", at: 1)
    bench.set("battery.level", "60 %", at: 1)
    return bench
  }

  @Test(
    "the span of “for” starts at the entry into the state",
    arguments: [
      "when motion.activity is walking for 20 s", "when walks for 20 s",
      "when motion.activity is walking and (motion.activity is walking for 20 s)",
      "when not (not (motion.activity is walking for 20 s))",
      "when (motion.activity is walking for 5 s) for 15 s",
    ])
  func acts(_ trigger: String) throws {
    var bench = try Self.bench("rule r \(trigger) { emit \"x\" }")
    bench.set("battery.level", "40 %", at: 1000)
    bench.run(to: 1019)
    #expect(bench.emitted == 0)
    bench.run(to: 1021)
    #expect(bench.emitted == 1)
  }

  @Test("after each entry, a `while` rule of a state becomes active when the span of “for” has passed")
  func holds() throws {
    var bench = try Self.bench("rule r while motion.activity is walking for 20 s { pause test.sensor }")
    for entry in [1000.0, 2000.0] {
      bench.set("battery.level", "40 %", at: entry)
      bench.run(to: entry + 19)
      #expect(!bench.holds("r"))
      bench.run(to: entry + 21)
      #expect(bench.holds("r"))
      bench.set("battery.level", "95 %", at: entry + 100)
      #expect(!bench.holds("r"))
    }
  }

  @Test("the span of “for” in the condition of a periodic rule starts at the entry into the state")
  func every() throws {
    var bench = try Self.bench("rule r every 10 s if motion.activity is walking for 25 s { emit \"x\" }")
    bench.set("battery.level", "40 %", at: 1000)
    bench.run(to: 1024)
    #expect(bench.emitted == 0)
    bench.run(to: 1060)
    #expect(bench.emitted > 0)
  }

  @Test("“in last” also covers the time before the entry into the state")
  func looksBack() throws {
    var bench = try Self.bench("rule r when motion.activity is walking in last 5 min { emit \"x\" }")
    bench.set("motion.activity", "still", at: 900)
    bench.set("battery.level", "40 %", at: 1000)
    bench.run(to: 1000.5)
    #expect(bench.emitted == 1)
  }
}

extension GovernorBench {
  fileprivate var emitted: Int {
    effects.count { effect in
      if case .act(_, .emit) = effect { true } else { false }
    }
  }

  fileprivate func holds(_ rule: String) -> Bool {
    governor.rulesInForce.contains(RuleID(policy: "p", rule: rule))
  }
}
