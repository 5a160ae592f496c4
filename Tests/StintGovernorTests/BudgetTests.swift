import StintGovernor
import StintMachine
import StintModel
import StintUnits
import Testing

/// Tests of facts that the governor computes. The sensor of the bench draws 60 mW. An hour of local time ends
/// 2,600 s after the start.
@Suite("Budgets and other computed facts")
struct BudgetTests {
  private static let budget = """
    policy "p"
    budget trail = 6 J per hour on test.sensor {
      at 50 %  { downgrade test.sensor to 200 m }
      at 100 % { stop test.sensor except "sos" }
    }
    rule half while trail > 25 % { batch test.sensor until 10 min }
    """

  private func bench(_ text: String) throws -> GovernorBench {
    var bench = try GovernorBench()
    try bench.load(text, at: 0)
    return bench
  }

  @Test("budget steps begin when their share is used, and end with the period")
  func steps() throws {
    var bench = try bench(Self.budget)
    _ = bench.raise("app", DemandSettings(accuracy: 50), at: 0)
    bench.run(to: 24.9)
    #expect(bench.held == [])
    bench.run(to: 25.1)
    #expect(bench.held == ["half"])
    bench.run(to: 49.9)
    #expect(bench.held == ["half"])
    bench.run(to: 50)
    #expect(bench.held == ["trail-50", "half"])
    bench.run(to: 100)
    #expect(bench.held == ["trail-50", "trail-100", "half"])
    // The linger is five seconds.
    bench.run(to: 106)
    #expect(!bench.isSensorOn)
    bench.run(to: 2599)
    #expect(!bench.isSensorOn)
    bench.run(to: 2601)
    #expect(bench.isSensorOn)
    #expect(bench.held == [])
  }

  @Test("a client in `except` keeps its device on, and the used share of the budget continues to rise")
  func exception() throws {
    var bench = try bench(Self.budget)
    _ = bench.raise("sos", DemandSettings(accuracy: 50), at: 0)
    bench.run(to: 200)
    #expect(bench.isSensorOn)
    #expect(try bench.number("p/trail") > 0.999)
  }

  @Test("a reload keeps the consumed energy of a budget, even when its amount changes")
  func reload() throws {
    var bench = try bench(Self.budget)
    _ = bench.raise("app", DemandSettings(accuracy: 50), at: 0)
    try bench.load(Self.budget + "\nrule more while battery.level < 5 % { pause test.sensor }", at: 40)
    bench.run(to: 50)
    #expect(bench.held == ["trail-50", "half"])
    try bench.load(Self.budget.replacing("6 J", with: "60 J"), at: 60)
    bench.run(to: 61)
    #expect(bench.held == [])
  }

  @Test("each switch-on of a sensor counts as a wake-up for one hour", arguments: ["wakeups", "starts"])
  func wakeups(_ name: String) throws {
    var bench = try bench(
      """
      policy "p"
      default test.sensor { linger 0 s }
      rule often while \(name)(test.sensor) > 2 per h { batch test.sensor until 5 min }
      """)
    for second in [10.0, 20, 30] {
      let demand = bench.raise("app", at: second)
      bench.input(.release(demand), at: second + 5)
      #expect(bench.held == (second == 30 ? ["often"] : []))
    }
    bench.run(to: 3609)
    #expect(bench.held == ["often"])
    bench.run(to: 3611)
    #expect(bench.held == [])
  }

  @Test("energy is counted from local midnight")
  func energy() throws {
    var bench = try bench(
      "policy \"p\"\nrule much while energy(test.sensor) >= 3 J { batch test.sensor until 5 min }")
    _ = bench.raise("app", at: 0)
    bench.run(to: 49.9)
    #expect(bench.held == [])
    bench.run(to: 50)
    #expect(bench.held == ["much"])
    bench.run(to: 86400 - 1000 - 1)
    #expect(bench.held == ["much"])
    bench.run(to: 86400 - 1000)
    #expect(bench.held == [])
  }

  @Test("each violation of a requirement is reported once, with its text")
  func requirement() throws {
    var bench = try bench("policy \"p\"\nrequire wakeups(test.sensor) <= 1 per h and unexplained == 0 s")
    let first = bench.raise("app", at: 10)
    bench.input(.release(first), at: 15)
    bench.run(to: 30)
    #expect(bench.violations == [])
    _ = bench.raise("app", at: 40)
    bench.run(to: 90)
    #expect(bench.violations == ["wakeups(test.sensor) <= 1 per h and unexplained == 0 s"])
  }

  @Test("publishing a computed fact is rejected")
  func refused() throws {
    var bench = try bench(Self.budget)
    let number = try #require(bench.governor.vocabulary.fact("p/trail"))
    bench.input(.fact(number, .number(0)), at: 1)
    #expect(bench.effects.contains(.refused("\(number) is not the index of a published fact")))
  }
}

extension GovernorBench {
  fileprivate var held: [String] {
    guard let machine = governor.machine else { return [] }
    return machine.image.rules.indices.filter { machine.isActive(rule: $0) }.map {
      machine.image.rules[$0].id.rule
    }
  }

  fileprivate var isSensorOn: Bool {
    governor.vocabulary.fact("test.sensor.on").map { governor.facts.value($0) } == .boolean(true)
  }

  fileprivate var violations: [String] {
    effects.compactMap { effect in
      if case .act(_, .violation(let text)) = effect { text } else { nil }
    }
  }

  fileprivate func number(_ path: String) throws -> Double {
    let fact = try #require(governor.vocabulary.fact(path))
    guard case .number(let number) = governor.facts.value(fact) else { return .nan }
    return number
  }
}
