import StintGovernor
import StintModel
import Testing

@Suite("“for” in the exit condition of a state")
struct StateDwellTests {
  private static func bench(_ exit: String, extra: String = "") throws -> GovernorBench {
    var bench = try GovernorBench()
    try bench.load(
      """
      policy "p"
      \(extra)
      machine m starts a {
        state a { goto b when battery.level < 50 % }
        state b { goto c when \(exit) }
        state c { goto a when battery.level > 90 % }
      }
      """, at: 0)
    bench.set("motion.activity", "walking", at: 1)
    bench.set("battery.level", "60 %", at: 1)
    return bench
  }

  @Test(
    "the span of “for” starts at the entry into the state",
    arguments: [
      "motion.activity is walking for 20 s",
      "motion.activity is walking and (motion.activity is walking for 20 s)",
      "app.state is background or (motion.activity is walking for 20 s)",
      "not (not (motion.activity is walking for 20 s))",
      "battery.level < 50 % implies (motion.activity is walking for 20 s)",
      "(motion.activity is walking for 5 s) for 15 s",
      "walks for 20 s", "walksLong",
    ])
  func counts(_ exit: String) throws {
    var bench = try Self.bench(
      exit,
      extra: """
        let walks = motion.activity is walking
        let walksLong = walks for 20 s
        """)
    bench.set("app.state", "foreground", at: 1)
    bench.set("battery.level", "40 %", at: 1000)
    bench.run(to: 1019)
    #expect(bench.state == "b")
    bench.run(to: 1021)
    #expect(bench.state == "c")
  }

  @Test("a negated “for” is true at the entry into the state")
  func negated() throws {
    var bench = try Self.bench("not (motion.activity is walking for 20 s)")
    bench.set("battery.level", "40 %", at: 1000)
    bench.run(to: 1000.5)
    #expect(bench.state == "c")
  }

  @Test(
    "“in last” also covers the time before the entry into the state",
    arguments: [
      "motion.activity is walking in last 5 min", "(motion.activity is walking for 20 s) in last 5 min",
    ])
  func looksBack(_ exit: String) throws {
    var bench = try Self.bench(exit)
    bench.set("motion.activity", "still", at: 900)
    bench.set("battery.level", "40 %", at: 1000)
    bench.run(to: 1000.5)
    #expect(bench.state == "c")
  }

  @Test("the span of “for” starts again at the second entry into the state")
  func again() throws {
    var bench = try Self.bench("motion.activity is walking for 20 s")
    for entry in [1000.0, 2000.0] {
      bench.set("battery.level", "40 %", at: entry)
      bench.run(to: entry + 19)
      #expect(bench.state == "b")
      bench.run(to: entry + 21)
      #expect(bench.state == "c")
      bench.set("battery.level", "95 %", at: entry + 100)
    }
  }

  @Test("walking in the state `riding` does not count for a “for” in the state `locked`")
  func siren() throws {
    var bench = try GovernorBench()
    try bench.load(
      """
      policy "p"
      machine m starts locked {
        state locked {
          goto riding when app.state is foreground
          goto shaken when motion.activity is walking for 20 s
        }
        state riding { goto locked when not app.state is foreground }
        state shaken { goto locked when m is shaken for 10 min }
      }
      """, at: 0)
    bench.set("app.state", "foreground", at: 1)
    bench.set("motion.activity", "walking", at: 1)
    bench.set("app.state", "background", at: 1200)
    bench.set("motion.activity", "still", at: 1201)
    bench.run(to: 1210)
    #expect(bench.state == "locked")
  }
}

extension GovernorBench {
  /// The state of the machine `m` of the policy `p`.
  fileprivate var state: String? {
    guard let fact = governor.vocabulary.fact("p/m") else { return nil }
    return governor.vocabulary.facts[fact].text(of: governor.facts.value(fact))
  }
}
