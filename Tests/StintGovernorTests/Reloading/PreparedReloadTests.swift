import StintMachine
import StintModel
import StintUnits
import Testing

@testable import StintGovernor

/// Tests of reloads that are prepared while steps of the governor run.
@Suite("Prepared reloads")
struct PreparedReloadTests {
  private static let before = """
    policy "p"
    use test.sensor as gps
    zone home = circle 47 8 radius 200 m
    machine m starts a { state a { goto b when battery.level < 30 % } state b { goto a when battery.level > 60 % } }
    budget trail = 6 J per hour on gps { at 50 % { downgrade gps to 100 m } }
    rule low while battery.level below 20 % release 25 % { downgrade gps to 50 m }
    rule rest while motion.activity is still for 4 min { pause gps }
    rule mine while client.name == "app" and app.state is background for 1 min { batch gps until 10 min }
    rule map while battery.level < 90 % { start gps for "map" }
    rule giveup when gps.on for 2 min { stop gps for 5 min doubling to 1 h }
    rule tick every 10 min { emit "tick" }
    """
  /// One rule has changed, one rule and the zone are renamed, and one rule is new.
  private static let after = """
    policy "p"
    use test.sensor as gps
    zone house = circle 47 8 radius 200 m
    machine m starts a { state a { goto b when battery.level < 30 % } state b { goto a when battery.level > 60 % } }
    budget trail = 6 J per hour on gps { at 50 % { downgrade gps to 100 m } }
    rule weak while battery.level below 20 % release 25 % { downgrade gps to 50 m }
    rule rest while motion.activity is still for 5 min { pause gps }
    rule mine while client.name == "app" and app.state is background for 1 min { batch gps until 10 min }
    rule map while battery.level < 90 % { start gps for "map" }
    rule giveup when gps.on for 2 min { stop gps for 5 min doubling to 1 h }
    rule tick every 10 min { emit "tick" }
    rule new while battery.level < 15 % { downgrade gps to 200 m }
    """

  private func bench() throws -> GovernorBench {
    var bench = try GovernorBench()
    try bench.load(Self.before, at: 0)
    _ = bench.raise("app", DemandSettings(accuracy: 10), at: 5)
    return bench
  }

  /// Runs events that create new state, between the preparation and the reload.
  private func live(_ bench: inout GovernorBench) {
    bench.set("battery.level", "18 %", at: 10)
    bench.set("motion.activity", "still", at: 20)
    bench.set("app.state", "background", at: 30)
    _ = bench.raise("late", at: 40)
    bench.run(to: 200)
  }

  private func finish(_ bench: inout GovernorBench) -> [String] {
    bench.set("battery.level", "22 %", at: 300)
    bench.set("battery.level", "70 %", at: 500)
    bench.set("motion.activity", "walking", at: 700)
    bench.run(to: 8000)
    return bench.log
  }

  @Test(
    "X04 F7: a prepared reload keeps the state that arose since its preparation, as an unprepared reload does",
    arguments: [Self.before, Self.after])
  func between(text: String) throws {
    var plain = try bench()
    var prepared = plain
    let preparation = try prepared.governor.prepare(prepared.program([text]))
    live(&plain)
    live(&prepared)
    let report = try plain.reload(text, at: 201)
    prepared.run(to: 201)
    let reload = try prepared.governor.load(preparation, at: prepared.instant(201))
    prepared.answer(reload.effects)
    #expect(reload.report == report && !report.entries.isEmpty)
    #expect(finish(&prepared) == finish(&plain))
  }

  @Test("a reload repeats its preparation when other policies came into force after the preparation")
  func stale() throws {
    var plain = try bench()
    var prepared = plain
    let preparation = try prepared.governor.prepare(prepared.program([Self.before]))
    try plain.load(Self.after, at: 8)
    try prepared.load(Self.after, at: 8)
    live(&plain)
    live(&prepared)
    let report = try plain.reload(Self.before, at: 201)
    prepared.run(to: 201)
    let reload = try prepared.governor.load(preparation, at: prepared.instant(201))
    prepared.answer(reload.effects)
    #expect(reload.report == report && report.count("kept") < report.entries.count)
    #expect(finish(&prepared) == finish(&plain))
  }

  @Test("the report of a reload does not depend on when it is requested")
  func late() throws {
    var bench = try bench()
    live(&bench)
    let program = try bench.program([Self.after])
    bench.run(to: 201)
    let reload = try bench.governor.load(program, at: bench.instant(201))
    let report = reload.report
    bench.answer(reload.effects)
    _ = finish(&bench)
    #expect(reload.report == report)
  }

  @Test(
    "a prepared reload at a past instant fails; a program that moves a machine to a missing state is refused")
  func refused() throws {
    var bench = try bench()
    let good = try bench.program([Self.after])
    let preparation = try bench.governor.prepare(good)
    live(&bench)
    let before = "\(bench.governor)"
    let past = #expect(throws: Problem.self) {
      try bench.governor.load(preparation, at: bench.instant(100))
    }
    #expect(past?.code == .past && "\(bench.governor)" == before)
    var lost = good
    lost.moves[0].target = 7
    let foreign = #expect(throws: Problem.self) { try bench.governor.prepare(lost) }
    #expect(foreign?.code == .unexpectedContent)
  }
}
