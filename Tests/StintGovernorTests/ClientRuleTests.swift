import StintGovernor
import StintModel
import StintUnits
import Testing

/// Rules that read `client.*` are evaluated once per demand.
@Suite struct ClientRuleTests {
  private func policy(_ body: String) -> String {
    "policy \"p\" version 1\nuse test.sensor as sensor\ndefault sensor { linger 0 s }\n" + body
  }

  private func grants(_ bench: GovernorBench, _ client: String) -> [String] {
    bench.log.compactMap { line in
      let words = line.split(separator: " ", maxSplits: 5).map(String.init)
      guard words.count == 6, words[1] == "grant", words[2] == client, let at = Int64(words[0]) else {
        return nil
      }
      let end = words[5].firstIndex(of: ",") ?? words[5].endIndex
      return "\((at - bench.start.nanoseconds) / 1_000_000_000): \(words[5][..<end])"
    }
  }

  @Test("a rule that reads `client.accuracy` affects each of two clients according to its settings")
  func accuracies() throws {
    var bench = try GovernorBench()
    try bench.load(
      policy("rule coarse while client.accuracy >= 100 m and battery.level < 20 % { stop sensor }"), at: 0)
    bench.set("battery.level", "50 %", at: 0)
    let fine = bench.raise("fine", DemandSettings(accuracy: 10), at: 1)
    _ = bench.raise("coarse", DemandSettings(accuracy: 100), at: 2)
    bench.set("battery.level", "15 %", at: 10)
    bench.input(.release(fine), at: 20)
    bench.set("battery.level", "50 %", at: 30)
    #expect(grants(bench, "fine") == ["1: served"])
    #expect(grants(bench, "coarse") == ["2: served", "10: stopped", "30: served"])
    #expect(
      bench.settings() == ["1: on, accuracy 10 m, every 1 s", "20: off", "30: on, accuracy 100 m, every 1 s"])
  }

  @Test("rules can read name, period, latency, activity, may_background and accuracy of a client")
  func facts() throws {
    let cases: [(String, DemandSettings, DemandSettings)] = [
      ("client.name == \"a\"", DemandSettings(), DemandSettings()),
      ("client.name in [\"a\", \"c\"]", DemandSettings(), DemandSettings()),
      ("\"b\" != client.name", DemandSettings(), DemandSettings()),
      (
        "client.period < 1 s", DemandSettings(period: .milliseconds(100)), DemandSettings(period: .seconds(1))
      ),
      ("client.latency > 1 min", DemandSettings(latency: .minutes(2)), DemandSettings(latency: .minutes(1))),
      ("client.activity is fitness", DemandSettings(activity: "fitness"), DemandSettings(activity: "other")),
      ("not client.may_background", DemandSettings(background: false), DemandSettings()),
      ("known(client.accuracy)", DemandSettings(accuracy: 5), DemandSettings()),
    ]
    for (condition, first, second) in cases {
      var bench = try GovernorBench()
      try bench.load(policy("rule r while \(condition) { stop sensor }"), at: 0)
      _ = bench.raise("a", first, at: 1)
      _ = bench.raise("b", second, at: 1)
      #expect(grants(bench, "a") == ["1: stopped"], "\(condition)")
      #expect(grants(bench, "b") == ["1: served"], "\(condition)")
    }
  }

  @Test("a demand that a rule defers for one client is served when the deadline of the rule is reached")
  func deferral() throws {
    var bench = try GovernorBench()
    try bench.load(
      policy(
        "rule r while client.name == \"a\" { defer sensor until battery.level > 90 % deadline 10 min }"),
      at: 0)
    bench.set("battery.level", "50 %", at: 0)
    _ = bench.raise("a", at: 60)
    bench.run(to: 1200)
    #expect(grants(bench, "a") == ["60: deferred", "660: served"])
  }

  @Test("settings that a client omits equal the defaults, even after a change of the defaults")
  func defaults() throws {
    let rule = "rule r while client.accuracy <= 50 m { pause sensor }"
    var bench = try GovernorBench()
    try bench.load("policy \"p\" version 1 use test.sensor as sensor \(rule)", at: 0)
    _ = bench.raise("a", at: 1)
    for (metres, second) in [(100, 10.0), (20, 20)] {
      try bench.load(
        "policy \"p\" version 1 use test.sensor as sensor default sensor { accuracy \(metres) m } \(rule)",
        at: second)
    }
    #expect(grants(bench, "a") == ["1: served", "10: served", "20: paused"])
  }

  @Test("each demand has its own timers, which start when the demand is raised")
  func timers() throws {
    var bench = try GovernorBench()
    try bench.load(policy("rule tired while client.background for 10 min { pause sensor }"), at: 0)
    bench.set("app.state", "background", at: 0)
    _ = bench.raise("a", at: 0)
    _ = bench.raise("b", at: 300)
    _ = bench.raise("never", DemandSettings(background: false), at: 300)
    #expect(bench.governor.nextTimer == bench.instant(600))
    bench.run(to: 1000)
    bench.set("app.state", "foreground", at: 1000)
    bench.set("app.state", "background", at: 1100)
    bench.run(to: 2000)
    #expect(grants(bench, "a") == ["0: served", "600: paused", "1000: served", "1700: paused"])
    #expect(grants(bench, "b") == ["300: served", "900: paused", "1000: served", "1700: paused"])
    #expect(grants(bench, "never") == ["300: background", "1000: served", "1100: background"])
  }

  @Test("a `when` rule acts, and doubles its durations, separately for each demand")
  func edges() throws {
    var bench = try GovernorBench()
    try bench.load(
      policy(
        "rule r when client.accuracy < 50 m and motion.activity is still { stop sensor for 10 s doubling to 40 s }"
      ), at: 0)
    _ = bench.raise("a", DemandSettings(accuracy: 10), at: 1)
    _ = bench.raise("b", DemandSettings(accuracy: 100), at: 1)
    for second in [10.0, 30] {
      bench.set("motion.activity", "still", at: second)
      bench.set("motion.activity", "walking", at: second + 1)
    }
    _ = bench.raise("c", DemandSettings(accuracy: 10), at: 55)
    bench.set("motion.activity", "still", at: 60)
    bench.run(to: 200)
    #expect(
      grants(bench, "a") == [
        "1: served", "10: stopped", "20: served", "30: stopped", "50: served", "60: stopped", "100: served",
      ])
    #expect(grants(bench, "b") == ["1: served"])
    #expect(grants(bench, "c") == ["55: served", "60: stopped", "70: served"])
  }

  @Test("when a demand ends, its timers end; the timers of the client's next demand start from zero")
  func detaching() throws {
    var bench = try GovernorBench()
    try bench.load(policy("rule r while client.name == \"a\" for 100 s { pause sensor }"), at: 0)
    let first = bench.raise("a", at: 0)
    bench.run(to: 150)
    let rule = RuleID(policy: "p", rule: "r")
    #expect(bench.governor.ruleUse(at: bench.instant(150))[rule]?.total == .seconds(50))
    bench.input(.release(first), at: 160)
    #expect(bench.governor.nextTimer == .distantFuture)
    #expect(bench.governor.machine(asking: first) == nil)
    let use = bench.governor.ruleUse(at: bench.instant(500))[rule]
    #expect(use?.total == .seconds(60))
    #expect(use?.since == nil)
    let second = bench.raise("a", at: 500)
    bench.run(to: 550)
    bench.input(.release(second), at: 550)
    bench.run(to: 1000)
    #expect(grants(bench, "a") == ["0: served", "100: paused", "500: served"])
  }
}
