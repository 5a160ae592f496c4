import StintGovernor
import StintModel
import StintUnits
import Testing

/// Tests of per-demand rules together with shared rules, across reloads and in the ledger.
@Suite struct ClientRuleReloadTests {
  private static let rest = "rule tired while client.background for 10 min { pause sensor }\n"

  private func policy(_ body: String) -> String {
    "policy \"p\" version 1\nuse test.sensor as sensor\ndefault sensor { linger 0 s }\n" + body
  }

  private func run(_ texts: [(second: Double, text: String)]) throws -> [String] {
    var bench = try GovernorBench()
    for (place, entry) in texts.enumerated() {
      try bench.load(policy(entry.text), at: entry.second)
      guard place == 0 else { continue }
      bench.set("app.state", "background", at: 0)
      _ = bench.raise("a", at: 0)
      _ = bench.raise("b", at: 200)
    }
    bench.run(to: 2000)
    return bench.log
  }

  @Test("X04: a reload keeps the rule state of each demand")
  func reload() throws {
    let plain = try run([(0, Self.rest)])
    #expect(plain.contains { $0.contains("grant a #1 test.sensor paused") })
    #expect(try run([(0, Self.rest), (400, Self.rest), (700, Self.rest)]) == plain)
    let more = "rule other while battery.level < 1 % { pause sensor }\n"
    #expect(try run([(0, Self.rest), (400, more + Self.rest), (700, Self.rest + more)]) == plain)
  }

  @Test("removing a rule ends its effect on every demand")
  func removal() throws {
    let log = try run([(0, Self.rest), (900, "rule n always { downgrade sensor to 10 m }")])
    let served = log.filter { $0.contains(" grant ") && $0.hasPrefix("\(1900 * 1_000_000_000 as Int64) ") }
    #expect(served.count == 2)
    #expect(served.allSatisfy { $0.contains("served") })
  }

  @Test("per-demand and shared rules can override each other with `over`, each only for matching demands")
  func overrides() throws {
    let cases = [
      "rule pack always { downgrade sensor to 100 m }\nrule guide over pack while client.name == \"a\" { downgrade sensor to 20 m }",
      "rule pack while client.name != \"a\" { downgrade sensor to 100 m }\nrule small always { downgrade sensor to 20 m }",
      "rule small always { downgrade sensor to 20 m }\nrule pack while known(client.period) { downgrade sensor to 100 m }\nrule guide over pack while client.name == \"a\" { downgrade sensor to 20 m }",
    ]
    for text in cases {
      var bench = try GovernorBench()
      try bench.load(policy(text), at: 0)
      let first = bench.raise("a", DemandSettings(accuracy: 5), at: 1)
      let second = bench.raise("b", DemandSettings(accuracy: 5), at: 1)
      let holders = try #require(bench.governor.status(of: "test.sensor")?.demands)
      let accuracies = holders.map { "\($0.demand.id) \($0.grant.accuracy ?? 0)" }
      #expect(accuracies == ["\(first) 20.0", "\(second) 100.0"], "\(text)")
    }
    var bench = try GovernorBench()
    try bench.load(
      policy(
        "rule quiet while client.accuracy < 50 m { stop sensor }\nrule show over quiet while app.state is foreground { downgrade sensor to 20 m }"
      ), at: 0)
    _ = bench.raise("a", DemandSettings(accuracy: 5), at: 1)
    bench.set("app.state", "foreground", at: 10)
    bench.set("app.state", "background", at: 20)
    #expect(bench.settings() == ["10: on, accuracy 20 m, every 1 s", "20: off"])
  }

  @Test(
    "F3: the ledger charges a limited demand to its per-demand rule, and charges nothing to a paused client"
  )
  func ledger() throws {
    func book(_ rule: String) throws -> (Ledger, [String]) {
      var bench = try GovernorBench()
      try bench.load(policy(rule), at: 0)
      bench.set("battery.level", "10 %", at: 0)
      _ = bench.raise("a", DemandSettings(accuracy: 10), at: 0)
      _ = bench.raise("b", DemandSettings(accuracy: 100), at: 0)
      bench.run(to: 100)
      return (bench.governor.ledger(at: bench.instant(100)), bench.log)
    }
    let (shared, _) = try book("rule n while battery.level > 50 % { pause sensor }")
    let (alone, log) = try book("rule n while client.name == \"b\" { pause sensor }")
    let (shaped, _) = try book("rule n while client.name == \"a\" { downgrade sensor to 1 per 10 s }")
    #expect(shared.byClient["b"] ?? .zero > .zero)
    #expect(alone.byClient["a"] == Energy(joules: 100 * 0.06))
    #expect(alone.byClient["b"] == nil)
    #expect(log.contains { $0.contains("grant b #2 test.sensor paused") && $0.contains("[p/n]") })
    #expect(shaped.byRule[RuleID(policy: "p", rule: "n")] ?? .zero > .zero)
    for book in [shared, alone, shaped] { #expect(book.isBalanced) }
  }

  @Test("per-demand rules are evaluated for a demand that a rule raised")
  func started() throws {
    var bench = try GovernorBench()
    try bench.load(
      policy(
        "rule map while app.state is foreground { start sensor for \"map\" with { accuracy 20 m } }\nrule cap while client.name == \"map\" and battery.level < 20 % { downgrade sensor to 100 m }"
      ), at: 0)
    bench.set("battery.level", "10 %", at: 0)
    bench.set("app.state", "foreground", at: 10)
    bench.set("app.state", "background", at: 20)
    #expect(bench.settings() == ["10: on, accuracy 100 m, every 1 s", "20: off"])
    #expect(bench.governor.nextTimer == .distantFuture)
  }

  @Test("a demand has a rule VM of its own only while a rule for its device reads facts of clients")
  func nothing() throws {
    var bench = try GovernorBench()
    try bench.load(policy("rule n while battery.level < 20 % { pause sensor }"), at: 0)
    let id = bench.raise("a", at: 0)
    #expect(bench.governor.machine(asking: id) == nil)
    try bench.load(policy("rule n while client.accuracy < 20 m { pause sensor }"), at: 10)
    #expect(bench.governor.machine(asking: id) != nil)
    let transfer = DemandSettings(transfer: Transfer(bytesUp: 1, bytesDown: 0, deadline: .hours(1)))
    let other = bench.raise("mail", on: "test.radio", transfer, at: 20)
    #expect(bench.governor.machine(asking: other) == nil)
  }
}
