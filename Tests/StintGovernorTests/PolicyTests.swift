import StintGovernor
import StintModel
import StintUnits
import Testing

@Suite struct PolicyTests {
  private func policy(_ body: String) -> String {
    """
    policy "p" version 1
    use test.sensor as sensor
    use test.radio as net
    \(body)
    """
  }

  @Test("the directives of a `while` rule apply exactly while its condition is true")
  func levelRule() throws {
    var bench = try GovernorBench()
    try bench.load(
      policy(
        "rule save while battery.level < 20 % { downgrade sensor to 100 m }\nrule n always { batch net until 2 MB or 1 h }"
      ), at: 0)
    _ = bench.raise("a", DemandSettings(accuracy: 10), at: 1)
    bench.set("battery.level", "15 %", at: 10)
    bench.set("battery.level", "25 %", at: 20)
    #expect(
      bench.settings() == [
        "1: on, accuracy 10 m, every 1 s", "10: on, accuracy 100 m, every 1 s",
        "20: on, accuracy 10 m, every 1 s",
      ])
  }

  @Test(
    "when several rules limit a demand, the cheapest limit of each setting applies, in any order of the rules"
  )
  func saverWins() throws {
    let rules = [
      "rule a always { downgrade sensor to 50 m }", "rule b always { downgrade sensor to 200 m }",
      "rule c always { downgrade sensor to 1 per 30 s }",
    ]
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
      var bench = try GovernorBench()
      try bench.load(
        policy(order.map { rules[$0] }.joined(separator: "\n") + "\nrule n always { batch net until 1 h }"),
        at: 0)
      _ = bench.raise("x", DemandSettings(accuracy: 10), at: 1)
      #expect(bench.settings() == ["1: on, accuracy 200 m, every 30 s"])
      let cause = try #require(bench.governor.status(of: "test.sensor")?.cause)
      #expect(cause.links[0].rules.map(\.description) == ["p/b", "p/c"] || cause.links[0].rules.count == 3)
    }
  }

  @Test("`over` overrides a rule while the overriding rule is active, for the targets that both rules have")
  func overrides() throws {
    var bench = try GovernorBench()
    try bench.load(
      policy(
        """
        rule pack always { downgrade sensor to 100 m batch net until 1 h }
        rule guide over pack while app.state is foreground { downgrade sensor to 10 m }
        """), at: 0)
    _ = bench.raise("x", DemandSettings(accuracy: 5), at: 1)
    bench.set("app.state", "foreground", at: 10)
    bench.set("app.state", "background", at: 20)
    #expect(
      bench.settings() == [
        "1: on, accuracy 100 m, every 1 s", "10: on, accuracy 10 m, every 1 s",
        "20: on, accuracy 100 m, every 1 s",
      ])
  }

  @Test("G02: a pause after 4 min of stillness switches the sensor off at exactly 4 min plus its linger")
  func stillness() throws {
    var bench = try GovernorBench()
    try bench.load(
      policy(
        """
        let moving = motion.activity is walking
        default sensor { linger 5 s }
        rule still while not moving for 4 min { pause sensor }
        rule n always { batch net until 1 h }
        """), at: 0)
    _ = bench.raise("x", at: 1)
    bench.set("motion.activity", "walking", at: 2)
    bench.set("motion.activity", "still", at: 600)
    bench.run(to: 3000)
    bench.set("motion.activity", "walking", at: 3000)
    #expect(bench.settings() == ["1: on, every 1 s", "845: off", "3000: on, every 1 s"])
  }

  @Test("L29 L30: a batch ends at the first of its bounds, and the log names the bound")
  func batches() throws {
    var bench = try GovernorBench()
    try bench.load(
      policy("rule hold always { batch sensor until 500 m or 5 min batch net until 1 h }"), at: 0)
    _ = bench.raise("x", at: 0)
    let metres = [(0, 0), (100, 150), (200, 300), (290, 505), (400, 600), (500, 700), (650, 700)]
    for (second, distance) in metres {
      bench.set("test.sensor.distance", "\(distance) m", at: Double(second))
    }
    let drains = bench.log.filter { $0.contains(" drain ") }.map { line in
      let words = line.split(separator: " ", maxSplits: 3)
      return "\((Int64(words[0]) ?? 0) / 1_000_000_000 - 1000): \(words[3])"
    }
    #expect(drains == ["290: reached 500 m", "590: reached 5 min"])
  }

  @Test("N01: waiting transfers start together, and never later than their deadline")
  func transfers() throws {
    var bench = try GovernorBench()
    bench.input(.available(device: try #require(bench.governor.vocabulary.device("test.wifi")), false), at: 0)
    try bench.load(
      policy("rule pack always { batch net until 100 kB or 30 min downgrade sensor to 10 m }"), at: 0)
    let transfer = Transfer(bytesUp: 20_000, bytesDown: 0, deadline: .minutes(10))
    for minute in 0..<4 {
      _ = bench.raise("mail", on: "test.radio", DemandSettings(transfer: transfer), at: Double(minute * 60))
    }
    bench.run(to: 599)
    #expect(bench.log.filter { $0.contains(" carry ") }.isEmpty)
    bench.run(to: 600)
    let carries = bench.log.filter { $0.contains(" carry ") }
    #expect(carries.count == 1)
    #expect(carries[0].contains("#1 #2 #3 #4 deadline"))
    for minute in 20..<25 {
      _ = bench.raise("mail", on: "test.radio", DemandSettings(transfer: transfer), at: Double(minute * 60))
    }
    #expect(bench.log.filter { $0.contains("reached 100 kB") }.count == 1)
  }

  @Test("N05: a deferred transfer starts when its condition is true, at the latest at its deadline")
  func deferral() throws {
    var bench = try GovernorBench()
    bench.input(.available(device: try #require(bench.governor.vocabulary.device("test.wifi")), false), at: 0)
    try bench.load(
      policy("rule wait always { defer net until net.kind is wifi deadline 2 h downgrade sensor to 10 m }"),
      at: 0)
    bench.set("net.kind", "cellular", at: 0)
    _ = bench.raise(
      "a", on: "test.radio", DemandSettings(transfer: Transfer(bytesUp: 1, bytesDown: 0)), at: 60)
    bench.set("net.kind", "wifi", at: 600)
    bench.set("net.kind", "cellular", at: 700)
    _ = bench.raise(
      "b", on: "test.radio", DemandSettings(transfer: Transfer(bytesUp: 1, bytesDown: 0)), at: 800)
    bench.run(to: 8100)
    let seconds = bench.log.filter { $0.contains(" carry ") }.map {
      (Int64($0.split(separator: " ")[0]) ?? 0) / 1_000_000_000 - 1000
    }
    #expect(seconds == [600, 8000])
  }

  @Test("a transfer that was interrupted by a lost radio restarts when the radio is back, and only once")
  func lostRadio() throws {
    let vocabulary = Vocabulary(manifests: GovernorBench.manifests)
    var governor = Governor(vocabulary: vocabulary, at: .epoch)
    let radio = try #require(vocabulary.device("test.radio"))
    let wifi = try #require(vocabulary.device("test.wifi"))
    _ = governor.step(.available(device: wifi, false), at: .epoch)
    func carried(_ effects: [Effect]) -> [DemandID] {
      effects.flatMap { effect in
        if case .carry(radio, let demands, _) = effect { demands } else { [DemandID]() }
      }
    }
    let wants = DemandSettings(transfer: Transfer(bytesUp: 1, bytesDown: 0))
    let demand = Demand(id: DemandID(1), client: "a", target: "test.radio", wants: wants)
    #expect(carried(governor.step(.raise(demand), at: .epoch)) == [DemandID(1)])
    #expect(carried(governor.step(.available(device: radio, false), at: .epoch + .seconds(1))).isEmpty)
    let back = governor.step(.available(device: radio, true), at: .epoch + .seconds(2))
    #expect(carried(back) == [DemandID(1)])
    #expect(carried(governor.step(.carried(DemandID(1)), at: .epoch + .seconds(3))).isEmpty)
    #expect(carried(governor.step([], at: .epoch + .seconds(9))).isEmpty)
  }

  @Test("`start` raises a demand for a named client exactly while the rule is active")
  func starts() throws {
    var bench = try GovernorBench()
    try bench.load(
      policy(
        """
        rule map while app.state is foreground { start sensor for "map" with { accuracy 20 m } }
        rule n always { batch net until 1 h }
        """), at: 0)
    bench.set("app.state", "foreground", at: 10)
    bench.set("app.state", "background", at: 20)
    bench.run(to: 100)
    #expect(bench.settings() == ["10: on, accuracy 20 m, every 1 s", "25: off"])
    let ledger = bench.governor.ledger(at: bench.instant(100))
    #expect(ledger.byClient["map"] == Energy(joules: 15 * 0.06))
    #expect(ledger.byRule[RuleID(policy: "p", rule: "map")] == Energy(joules: 15 * 0.06))
  }

  @Test("X04: reloading the same policies changes no decision and keeps the elapsed time of `for`")
  func identityReload() throws {
    let text = policy(
      "rule still while motion.activity is still for 4 min { pause sensor }\nrule n always { batch net until 1 h }"
    )
    func run(reloadAt: [Double]) throws -> [String] {
      var bench = try GovernorBench()
      try bench.load(text, at: 0)
      _ = bench.raise("x", at: 1)
      bench.set("motion.activity", "still", at: 10)
      for second in reloadAt { try bench.load(text, at: second) }
      bench.run(to: 1000)
      return bench.log
    }
    let plain = try run(reloadAt: [])
    #expect(plain.contains { $0.contains(" set test.sensor off") })
    #expect(try run(reloadAt: [11, 100, 249, 251, 400]) == plain)
  }

  @Test("X04: a reload that changes only a number keeps the elapsed time of `for`, and no rule acts again")
  func tunedReload() throws {
    func log(_ edits: [(Double, String)]) throws -> [String] {
      var bench = try GovernorBench()
      func text(_ span: String) -> String {
        policy("rule still when motion.activity is still for \(span) { pause sensor for 20 s }")
      }
      try bench.load(text("10 s"), at: 0)
      _ = bench.raise("x", at: 1)
      bench.set("motion.activity", "still", at: 10)
      for (second, span) in edits { try bench.load(text(span), at: second) }
      bench.run(to: 200)
      return bench.log.filter { $0.contains(" set test.sensor") }
    }
    let plain = try log([])
    #expect(plain.contains { $0.contains("off") })
    #expect(try log([(100, "11 s"), (110, "10 s"), (120, "5 s")]) == plain)
    #expect(try log([(15, "12 s"), (18, "10 s")]) == plain)
  }
}
