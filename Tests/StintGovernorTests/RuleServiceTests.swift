import StintGovernor
import StintModel
import StintUnits
import Testing

@Suite("Demands on devices, and linger") struct RuleServiceTests {
  @Test("G01: a device without demands is off after its linger, and from then on only floor power is charged")
  func offAfterLinger() throws {
    var bench = try GovernorBench()
    let demand = bench.raise("a", at: 0)
    bench.input(.release(demand), at: 60)
    bench.run(to: 1000)
    #expect(bench.settings() == ["0: on, every 1 s", "65: off"])
    let ledger = bench.governor.ledger(at: bench.instant(1000))
    #expect(ledger.byDevice["test.sensor"] == Energy(joules: 65 * 0.06))
    #expect(ledger.byClient["a"] == Energy(joules: 65 * 0.06))
    #expect(ledger.byRule[.floor] == Energy(joules: 1000 * (0.003 + 0.010 + 0.005)))
    #expect(ledger.isBalanced)
    #expect(bench.governor.unexplained(at: bench.instant(1000)) == .zero)
  }

  @Test("G02: shared hardware powers down once, after the linger of its last demand")
  func lastUserLeaves() throws {
    var bench = try GovernorBench()
    let first = bench.raise("a", at: 0)
    let second = bench.raise("b", at: 0)
    bench.input(.release(first), at: 60)
    bench.input(.release(second), at: 120)
    bench.run(to: 500)
    #expect(bench.settings() == ["0: on, every 1 s", "125: off"])
    let ledger = bench.governor.ledger(at: bench.instant(500))
    #expect(ledger.byClient["a"] == Energy(joules: 30 * 0.06))
    #expect(ledger.byClient["b"] == Energy(joules: (30 + 65) * 0.06))
  }

  @Test("G04: a demand during linger keeps the device on without a power cycle")
  func demandDuringLinger() throws {
    var bench = try GovernorBench()
    bench.input(.release(bench.raise("a", at: 0)), at: 10)
    _ = bench.raise("b", at: 12)
    bench.run(to: 100)
    #expect(bench.settings() == ["0: on, every 1 s"])
  }

  @Test(
    "M16: the shortest period and best accuracy of all demands apply; each change causes one new setting")
  func mostDemandingWins() throws {
    var bench = try GovernorBench()
    _ = bench.raise("slow", DemandSettings(accuracy: 100, period: .seconds(10)), at: 0)
    let fast = bench.raise("fast", DemandSettings(accuracy: 10, period: .seconds(1)), at: 5)
    bench.input(.release(fast), at: 15)
    bench.run(to: 60)
    #expect(
      bench.settings() == [
        "0: on, accuracy 100 m, every 10 s", "5: on, accuracy 10 m, every 1 s",
        "15: on, accuracy 100 m, every 10 s",
      ])
  }

  @Test("G03: the governor refuses an invalid demand with a reason, and switches no device on")
  func refusals() throws {
    var bench = try GovernorBench()
    _ = bench.raise("a", on: "test.nothing", at: 0)
    _ = bench.raise("a", on: "test.host", at: 0)
    _ = bench.raise("a", on: "test.radio", at: 0)
    let refused = bench.effects.filter { if case .refused = $0 { true } else { false } }
    #expect(refused.count == 3)
    #expect(bench.effects.count == 3)
  }

  @Test("F10: after random demands, releases and the linger, a device is on exactly when it has a demand")
  func randomInterleavings() throws {
    var random = SplitMix(seed: 7)
    for _ in 0..<200 {
      var bench = try GovernorBench()
      var held: [DemandID] = []
      var second = 0.0
      for _ in 0..<20 {
        second += Double(random.next() % 8000) / 1000
        if held.isEmpty || random.next() % 2 == 0 {
          held.append(bench.raise("c\(random.next() % 3)", at: second))
        } else {
          bench.input(.release(held.remove(at: Int(random.next() % UInt64(held.count)))), at: second)
        }
      }
      bench.run(to: second + 5)
      #expect(bench.setting.isOn == !held.isEmpty)
      let ledger = bench.governor.ledger(at: bench.instant(second + 5))
      #expect(ledger.isBalanced)
      #expect(bench.governor.unexplained(at: bench.instant(second + 5)) == .zero)
    }
  }

  @Test("the governor refuses inputs from the past and invalid facts, and changes nothing")
  func badInputs() throws {
    var bench = try GovernorBench()
    bench.set("battery.level", "50 %", at: 10)
    let level = try #require(bench.governor.vocabulary.fact("battery.level"))
    bench.input(.fact(level, .number(.nan)), at: 11)
    bench.input(.fact(level, .number(2)), at: 12)
    bench.input(.fact(9999, .number(0.1)), at: 13)
    #expect(bench.governor.facts.value(level) == .number(0.5))
    #expect(bench.effects.count == 3)
    let late = bench.governor.step(.fact(level, .number(0.1)), at: bench.instant(1))
    #expect(late == [.refused("the clock went back by 12 s")])
    #expect(bench.governor.facts.value(level) == .number(0.5))
  }
}

/// A SplitMix generator of pseudorandom numbers; equal seeds give equal numbers.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns true with a probability of 1 in `count`.
  mutating func once(in count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}
