import StintGovernor
import StintModel
import StintTestSupport
import StintUnits
import Testing

@Suite("Reading of sources") struct ReadingTests {
  private static let parts: Range<UInt64> = 0..<(Tier.current == .unit ? 1 : 4)

  @Test(
    "F19: reading sources only when needed gives the same decisions as publishing all values periodically",
    arguments: parts)
  func decidesTheSame(part: UInt64) throws {
    var (turns, readings, decisions) = (0, 0, 0)
    let trials = Trials(600, fewest: 4)
    for seed in part * 60..<(part * 60 + UInt64(trials.count)) {
      var contest = try ReadingContest(seed: seed)
      contest.run()
      if let mismatch = contest.mismatch { Issue.record("seed \(seed): \(mismatch)") }
      turns += contest.turns
      readings += contest.readings
      decisions += contest.decisions
    }
    // A policy whose state machine changes its state in each step must read all facts in each step. Such a
    // policy saves few readings. The limit therefore applies only to runs with many policies.
    #expect(readings < turns * 5 / 6 || Tier.current < .gate, "\(readings) of \(turns)")
    #expect(decisions > trials.share(of: 6000) / 2, "\(decisions) decisions")
  }

  // MARK: One source at a time

  private static let gauge = Manifest(
    device: "test.gauge", kind: .source, title: "",
    facts: [
      FactSchema(
        path: "gauge.level", type: .quantity(.ratio), range: 0...1,
        reading: FactReading(every: .seconds(10), maxRate: 0.001), device: "test.gauge")
    ])

  private func bench(_ policy: String) throws -> GovernorBench {
    var bench = try GovernorBench(extra: [Self.gauge])
    try bench.load("policy \"p\" version 1\nuse test.sensor as sensor\n" + policy, at: 0)
    return bench
  }

  /// Returns the seconds at which the gauge was read. Answers each reading with `level`.
  private func readings(
    _ bench: inout GovernorBench, until end: Double, level: @escaping (Double) -> Double
  ) -> [Double] {
    var seconds: [Double] = []
    let gauge = bench.governor.vocabulary.device("test.gauge")
    let fact = bench.governor.vocabulary.fact("gauge.level") ?? -1
    func answer(_ effects: [Effect], _ bench: inout GovernorBench) {
      for case .read(let device) in effects where device == gauge {
        let second = Double((bench.governor.now - bench.start).nanoseconds) / 1e9
        seconds.append(second)
        bench.input(.fact(fact, .number(level(second))), at: second)
      }
    }
    answer(bench.effects, &bench)
    bench.effects = []
    while bench.governor.nextTimer <= bench.instant(end) {
      bench.answer(bench.governor.step([], at: max(bench.governor.nextTimer, bench.governor.now)))
      let effects = bench.effects
      bench.effects = []
      answer(effects, &bench)
    }
    return seconds
  }

  @Test("inputs do not wait for an absent source, which is read only when it returns, and then at once")
  func absence() throws {
    var bench = try bench("rule low while gauge.level < 20 % { downgrade sensor to 100 m }")
    let gauge = try #require(bench.governor.vocabulary.device("test.gauge"))
    #expect(readings(&bench, until: 50) { _ in 0.3 } == [0])
    bench.input(.available(device: gauge, false), at: 60)
    #expect(readings(&bench, until: 500) { _ in 0.3 }.isEmpty)
    bench.set("battery.level", "40 %", at: 510)
    #expect(bench.governor.nextTimer > bench.instant(511))
    bench.input(.available(device: gauge, true), at: 600)
    #expect(readings(&bench, until: 605) { _ in 0.3 } == [600])
  }

  @Test(
    "F19: a source is read when its value could have reached the limit; near the limit, at the source's period"
  )
  func distance() throws {
    var bench = try bench("rule low while gauge.level < 20 % { downgrade sensor to 100 m }")
    // The level changes by at most 0.1 % per second. So it needs at least 100 s from 30 % to the limit, 20 %.
    // At 100 s, the level has fallen to 22 %, so the next reading is 20 s later. Below the limit, the next
    // reading is at the instant at which the level can have risen to the limit again.
    let seconds = readings(&bench, until: 400) { $0 < 130 ? 0.3 - 0.0008 * $0 : 0.1 }
    #expect(seconds == [0, 100, 120, 130, 230, 330], "\(seconds)")
  }

  @Test("F19: a source without a rule that uses it is never read")
  func unread() throws {
    var bench = try bench("rule save while battery.level < 20 % { downgrade sensor to 100 m }")
    #expect(readings(&bench, until: 1_000) { _ in 0.1 }.isEmpty)
  }

  @Test("F19: an input that makes a fact relevant is applied only after the fact's source was read")
  func guarded() throws {
    var bench = try bench(
      "rule low while app.state is background and gauge.level < 20 % { downgrade sensor to 100 m }")
    _ = bench.raise("a", DemandSettings(accuracy: 10), at: 1)
    bench.set("app.state", "foreground", at: 2)
    bench.effects = []
    #expect(readings(&bench, until: 500) { _ in 0.1 }.isEmpty)
    let state = try #require(bench.governor.vocabulary.fact("app.state"))
    let gauge = try #require(bench.governor.vocabulary.device("test.gauge"))
    let level = try #require(bench.governor.vocabulary.fact("gauge.level"))
    #expect(bench.governor.step(.fact(state, .symbol(1)), at: bench.instant(600)) == [.read(device: gauge)])
    #expect(bench.governor.facts.value(state) == .symbol(0), "the input waits")
    let effects = bench.governor.step(.fact(level, .number(0.1)), at: bench.instant(600))
    #expect(bench.governor.facts.value(state) == .symbol(1))
    #expect(effects.contains { if case .set = $0 { true } else { false } })
  }

  @Test("F19: an input that waits for a source is applied after 100 ms when the source does not answer")
  func silent() throws {
    var bench = try bench(
      "rule low while app.state is background and gauge.level < 20 % { downgrade sensor to 100 m }")
    bench.set("app.state", "foreground", at: 2)
    let state = try #require(bench.governor.vocabulary.fact("app.state"))
    _ = bench.governor.step(.fact(state, .symbol(1)), at: bench.instant(600))
    #expect(bench.governor.nextTimer == bench.instant(600.1))
    _ = bench.governor.step([], at: bench.instant(600.1))
    #expect(bench.governor.facts.value(state) == .symbol(1))
    #expect(bench.governor.nextTimer > bench.instant(600.1))
  }
}
