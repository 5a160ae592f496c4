import StintGovernor
import StintModel
import StintUnits
import Testing

/// Tests with invalid values of facts from broken sources. An invalid value must affect no decision, and the
/// next valid value must be accepted.
@Suite("Invalid values of facts") struct InvalidFactTests {
  private let policy = """
    policy "p" version 1
    use test.sensor as sensor
    rule save while battery.level < 20 % { downgrade sensor to 100 m }
    rule low when battery.level < 10 % { emit "low" }
    """

  private func bench() throws -> GovernorBench {
    var bench = try GovernorBench()
    try bench.load(policy, at: 0)
    _ = bench.raise("a", DemandSettings(accuracy: 10), at: 1)
    bench.set("battery.level", "25 %", at: 2)
    return bench
  }

  @Test(
    "wrong input: the governor refuses NaN, infinity, values out of range and values of a wrong type",
    arguments: [
      FactValue.number(.nan), .number(.infinity), .number(-.infinity), .number(-0.01), .number(1.01),
      .number(1e300), .boolean(true), .symbol(0),
    ])
  func unbelievable(value: FactValue) throws {
    var bench = try bench()
    let level = try #require(bench.governor.vocabulary.fact("battery.level"))
    let before = bench.settings()
    let effects = bench.governor.step(.fact(level, value), at: bench.instant(10))
    #expect(effects.count == 1)
    guard case .refused(let rejectionReason) = effects.first else {
      Issue.record("\(effects)")
      return
    }
    #expect(rejectionReason.contains("battery.level"))
    #expect(bench.governor.facts.value(level) == .number(0.25))
    #expect(bench.governor.facts.instant(level) == bench.instant(2))
    bench.set("battery.level", "15 %", at: 20)
    #expect(bench.settings() == before + ["20: on, accuracy 100 m, every 1 s"])
  }

  @Test("wrong input: the governor refuses an unknown symbol and an unknown fact index")
  func nobodysFacts() throws {
    var bench = try bench()
    let state = try #require(bench.governor.vocabulary.fact("app.state"))
    let count = bench.governor.vocabulary.facts.count
    for (fact, value) in [
      (state, FactValue.symbol(7)), (state, .symbol(-1)), (-1, .number(0)), (count, .unknown),
    ] {
      let effects = bench.governor.step(.fact(fact, value), at: bench.instant(10))
      guard effects.count == 1, case .refused = effects[0] else {
        Issue.record("fact \(fact): \(effects)")
        continue
      }
    }
    #expect(bench.governor.facts.value(state) == .unknown)
  }

  @Test("wrong input: the governor refuses all inputs of a step in the past, and applies later inputs")
  func backInTime() throws {
    var bench = try bench()
    let level = try #require(bench.governor.vocabulary.fact("battery.level"))
    let before = bench.settings()
    let effects = bench.governor.step(
      [.fact(level, .number(0.05)), .fact(level, .number(0.04))], at: bench.instant(1.5))
    #expect(effects == [.refused("the clock went back by 500 ms")])
    #expect(bench.governor.facts.value(level) == .number(0.25))
    #expect(bench.governor.now == bench.instant(2))
    bench.set("battery.level", "15 %", at: 2)
    #expect(bench.settings() == before + ["2: on, accuracy 100 m, every 1 s"])
  }

  @Test(
    "wrong input: of 10,000 values in a millisecond, the last value decides; a `when` rule acts at each edge")
  func flood() throws {
    var bench = try bench()
    let level = try #require(bench.governor.vocabulary.fact("battery.level"))
    var settings = 0
    var acts = 0
    for number in 0..<10_000 {
      let instant = bench.instant(10) + TimeSpan(nanoseconds: Int64(number) * 100)
      // The level alternates between 9 % and 19 %, and ends at 25 %.
      let value = number == 9_999 ? 0.25 : number % 2 == 0 ? 0.09 : 0.19
      for effect in bench.governor.step(.fact(level, .number(value)), at: instant) {
        if case .set = effect { settings += 1 }
        if case .act = effect { acts += 1 }
      }
    }
    // The device gets one setting at the first value and one setting at the last value, and no other setting.
    #expect(settings == 2)
    #expect(acts == 5_000)
    #expect(bench.governor.status(of: "test.sensor")?.setting.accuracy == 10)
  }
}
