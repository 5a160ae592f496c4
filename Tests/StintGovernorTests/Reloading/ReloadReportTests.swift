import StintGovernor
import StintMachine
import StintModel
import StintUnits
import Testing

/// Tests of the migration report, which lists the state that a reload keeps, moves, resets or drops.
@Suite("Reports of reloads")
struct ReloadReportTests {
  private static let before = """
    policy "p"
    use test.sensor as gps
    zone home = circle 47 8 radius 200 m
    machine ride starts parked {
      state parked { goto riding when motion.activity is walking for 2 min }
      state riding { goto parked when motion.activity is still for 4 min }
    }
    budget trail = 6 J per hour on gps { at 50 % { downgrade gps to 100 m } }
    rule low while battery.level below 20 % release 25 % { downgrade gps to 50 m }
    rule quiet while spread(battery.level, 5 min) > 50 % { pause gps }
    rule rest while motion.activity is still for 4 min and (not inside(home) or battery.level < 50 %) { pause gps }
    rule giveup when gps.on for 2 min { stop gps for 5 min doubling to 1 h }
    rule tick every 10 min { emit "tick" }
    """

  private func bench() throws -> GovernorBench {
    var bench = try GovernorBench()
    try bench.load(Self.before, at: 0)
    _ = bench.raise("app", at: 0)
    bench.set("motion.activity", "still", at: 10)
    bench.set("battery.level", "15 %", at: 20)
    bench.run(to: 100)
    return bench
  }

  private static let everything = [
    "timer p/ride-parked-riding: not running",
    "timer p/ride-riding-parked: not running",
    "latch p/low: closed",
    "window p/quiet: one value",
    "timer p/rest: true for 1 min 30 s",
    "timer p/giveup: true for 1 min 40 s",
    "doubling p/giveup: not in force, runs: 0",
    "timer p/tick: due in 8 min 20 s",
    "machine p/ride: is parked",
    "budget p/trail: 100 % used",
    "zone p/home: unknown",
  ]

  @Test("reloading the same policy keeps all state, and the report lists each piece of state")
  func same() throws {
    var bench = try bench()
    let count = bench.log.count
    let report = try bench.reload(Self.before, at: 100)
    #expect(Set(report.lines) == Set(Self.everything.map { "kept \($0)" }))
    #expect(report.summary == "11 kept")
    #expect(bench.log.count == count)
  }

  @Test("a renamed policy keeps all state, and the report contains the new names")
  func policyRenamed() throws {
    var bench = try bench()
    let report = try bench.reload(Self.before.replacing("policy \"p\"", with: "policy \"q\""), at: 100)
    #expect(report.summary == "11 moved")
    #expect(report.lines.contains("moved to q/rest timer p/rest: true for 1 min 30 s"))
    #expect(report.lines.contains("moved to q/trail budget p/trail: 100 % used"))
    #expect(report.lines.contains("moved to q/home zone p/home: unknown"))
    bench.run(to: 249)
    #expect(bench.holding == ["giveup", "low", "trail-50"])
    bench.run(to: 250)
    #expect(bench.holding == ["giveup", "low", "rest", "trail-50"])
  }

  @Test("renamed rules, budgets, state machines and zones keep their state")
  func renamed() throws {
    var bench = try bench()
    var after = Self.before
    for (old, new) in [
      ("rule rest", "rule pause_when_still"), ("home", "house"), ("trail", "track"), ("ride", "trip"),
      ("rule giveup", "rule give_up"),
    ] {
      after = after.replacing(old, with: new)
    }
    let report = try bench.reload(after, at: 100)
    #expect(report.count("dropped") == 0 && report.count("reset") == 0)
    #expect(report.count("moved") == 8)
    bench.run(to: 119)
    #expect(!bench.holding.contains("give_up"))
    bench.run(to: 120)
    #expect(bench.holding.contains("give_up"))
    bench.run(to: 250)
    #expect(bench.holding.contains("pause_when_still"))
  }

  @Test("changed numbers, including the radius of a zone, keep the state; a removed rule drops its state")
  func changed() throws {
    var bench = try bench()
    var after = Self.before
    for (old, new) in [
      ("is still for 4 min and", "is still for 5 min and"), ("below 20 %", "below 19 %"),
      ("radius 200 m", "radius 300 m"), ("doubling to 1 h", "doubling to 2 h"),
      ("every 10 min", "every 9 min"),
      ("rule quiet while spread(battery.level, 5 min) > 50 % { pause gps }", ""),
    ] {
      after = after.replacing(old, with: new)
    }
    let report = try bench.reload(after, at: 100)
    let migrations = [
      "kept latch p/low: closed", "kept timer p/rest: true for 1 min 30 s", "kept zone p/home: unknown",
      "kept doubling p/giveup: not in force, runs: 0", "kept timer p/tick: due in 7 min 20 s",
      "dropped window p/quiet: one value", "kept timer p/giveup: true for 1 min 40 s",
    ]
    for line in migrations { #expect(report.lines.contains(line), "\(line)") }
    #expect(report.summary == "10 kept, 1 dropped")
  }

  @Test(
    "the report states the ends of a period and of a run after the reload, and the rules follow the report",
    arguments: [
      (every: 15, lasts: 6, "due in 13 min 20 s", "ends in 4 min 30 s", 370),
      (every: 1, lasts: 4, "due in 20 s", "ends in 2 min 30 s", 250),
    ])
  func newEnds(every: Int, lasts: Int, due: String, ends: String, endsAt: Double) throws {
    func text(_ every: Int, _ lasts: Int) -> String {
      """
      policy "p"
      use test.sensor as gps
      rule still when motion.activity is still { stop gps for \(lasts) min }
      rule tick every \(every) min { emit "tick" }
      """
    }
    var bench = try GovernorBench()
    try bench.load(text(10, 5), at: 0)
    _ = bench.raise("app", at: 0)
    bench.set("motion.activity", "still", at: 10)
    bench.run(to: 100)
    let report = try bench.reload(text(every, lasts), at: 100)
    #expect(report.lines.contains("kept timer p/tick: \(due)"), "\(report.lines)")
    #expect(report.lines.contains("kept timer p/still: in force, \(ends)"), "\(report.lines)")
    bench.run(to: endsAt - 1)
    #expect(bench.holding.contains("still"))
    bench.run(to: endsAt)
    #expect(!bench.holding.contains("still"))
  }

  @Test("a budget with a changed amount keeps the consumed energy")
  func budget() throws {
    var bench = try bench()
    let report = try bench.reload(Self.before.replacing("6 J per", with: "60 J per"), at: 100)
    #expect(report.lines.contains("kept budget p/trail: 100 % used"))
    guard let fact = bench.governor.vocabulary.fact("p/trail"),
      case .number(let share) = bench.governor.facts.value(fact)
    else {
      Issue.record("the used share of the budget is unknown")
      return
    }
    #expect(share > 0.09 && share < 0.12)
  }

  @Test("the report names the former and the new limit of a kept budget and of a kept directive")
  func newLimits() throws {
    var bench = try bench()
    var after = Self.before
    for (old, new) in [
      ("6 J per", "60 J per"), ("for 5 min doubling to 1 h", "for 6 min doubling to 2 h"),
      ("every 10 min", "every 9 min"),
    ] {
      after = after.replacing(old, with: new)
    }
    func expressions(_ text: String) throws -> [String] {
      try bench.reload(text, at: 100).entries
        .filter { entry in ["p/giveup", "p/tick", "p/trail"].contains(entry.owner) && entry.place == nil }
        .map { $0.fullExpression() }
    }
    #expect(
      try expressions(Self.before) == ["stop for 5 min doubling to 1 h", "every 10 min", "6 J per hour"])
    #expect(
      try expressions(after) == [
        "stop for 5 min doubling to 1 h, now stop for 6 min doubling to 2 h", "every 10 min, now every 9 min",
        "6 J per hour, now 60 J per hour",
      ])
  }

  @Test("the report names the former and the new duration when only a parameter changes")
  func parameter() throws {
    let text = """
      policy "p"
      use test.sensor as gps
      param hold = 4 min in 1 min..10 min
      rule a while screen.on for hold { pause gps }
      rule b while (screen.on in last hold) { pause gps }
      rule c while avg(battery.level, hold) > 50 % { pause gps }
      rule d while battery.level below 20 % release 25 % { pause gps }
      """
    var bench = try GovernorBench()
    try bench.load(text, at: 0)
    let same = try bench.reload(text, at: 50).entries.map { $0.fullExpression() }
    #expect(same.count == 4 && same.allSatisfy { !$0.contains("now") }, "\(same)")
    let report = try bench.reload(text.replacing("= 4 min", with: "= 7 min"), at: 100)
    for owner in ["p/a", "p/b", "p/c"] {
      let entry = try #require(report.entries.first { $0.owner == owner })
      #expect(entry.fullExpression().hasSuffix(" (4 min, now 7 min)"), "\(entry)")
      #expect(entry.migration == .kept)
    }
  }

  @Test("a demand that a rule raised continues when the rule is renamed")
  func started() throws {
    let text = "policy \"p\"\nrule map while battery.level < 50 % { start test.sensor for \"map\" }"
    var bench = try GovernorBench()
    try bench.load(text, at: 0)
    bench.set("battery.level", "40 %", at: 1)
    try bench.load(text.replacing("rule map", with: "rule chart"), at: 20)
    #expect(bench.settings().count == 1)
    #expect(!bench.log.contains { $0.contains(" ended ") })
    bench.set("battery.level", "60 %", at: 30)
    #expect(bench.log.count { $0.contains(" ended ") } == 1)
  }

  @Test("a running directive continues when only the condition of its rule changes")
  func running() throws {
    let text = "policy \"p\"\nrule n when battery.level < 50 % { stop test.sensor for 5 min doubling to 1 h }"
    var bench = try GovernorBench()
    try bench.load(text, at: 0)
    _ = bench.raise("app", at: 0)
    bench.set("battery.level", "40 %", at: 10)
    let report = try bench.reload(text.replacing("< 50 %", with: "< 30 %"), at: 20)
    #expect(report.lines == ["kept doubling p/n: in force, ends in 4 min 50 s, runs: 1"])
    bench.run(to: 309)
    #expect(bench.settings().last?.hasSuffix("off") == true)
    bench.run(to: 311)
    #expect(bench.settings().last?.hasPrefix("310: on") == true)
  }
}

extension GovernorBench {
  /// The rules that are active now, sorted.
  fileprivate var holding: [String] {
    guard let image = governor.machine?.image else { return [] }
    return image.rules.indices.filter { governor.isActive(rule: $0) }.map { image.rules[$0].id.rule }.sorted()
  }
}
