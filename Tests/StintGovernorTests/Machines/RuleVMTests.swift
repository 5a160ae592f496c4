import StintGovernor
import StintMachine
import StintModel
import StintUnits
import Testing

/// Tests of state machines in policies: states as facts, rules that are active in a state, and transitions.
@Suite("State machines")
struct RuleVMTests {
  private static let ride = """
    policy "p"
    machine ride starts parked {
      state parked {
        pause test.sensor
        goto riding when motion.activity is walking
      }
      state riding {
        goto resting when motion.activity is still for 10 s
        rule far while battery.level < 50 % { batch test.sensor until 5 min }
        rule call when battery.level < 20 % { emit "low" }
      }
      state resting {
        goto parked when motion.activity is still for 30 s
        goto riding when motion.activity is walking
      }
    }
    rule other while ride in [riding, resting] { batch test.sensor until 1 min }
    """

  private func bench(_ text: String = ride) throws -> GovernorBench {
    var bench = try GovernorBench()
    try bench.load(text, at: 0)
    return bench
  }

  @Test("a state machine begins in its start state, and leaves it when the condition of a `goto` is true")
  func moves() throws {
    var bench = try bench()
    #expect(bench.state == "parked")
    #expect(bench.held == ["ride-parked"])
    bench.set("motion.activity", "walking", at: 5)
    #expect(bench.state == "riding")
    #expect(bench.held == ["other"])
    bench.set("motion.activity", "still", at: 10)
    bench.run(to: 19)
    #expect(bench.state == "riding")
    bench.run(to: 20)
    #expect(bench.state == "resting")
    // The thirty seconds count from the entry into the state.
    bench.run(to: 49)
    #expect(bench.state == "resting")
    bench.run(to: 51)
    #expect(bench.state == "parked")
    #expect(bench.held == ["ride-parked"])
    #expect(
      bench.log.filter { $0.contains(" machine ") }.map {
        $0.split(separator: " ").suffix(2).joined(separator: " ")
      }
        == ["p/ride riding", "p/ride resting", "p/ride parked"])
  }

  @Test("rules of a state are active only in that state, and entering the state can trigger a `when` rule")
  func rules() throws {
    var bench = try bench()
    bench.set("battery.level", "15 %", at: 1)
    #expect(bench.held == ["ride-parked"])
    #expect(bench.events == [])
    bench.set("motion.activity", "walking", at: 5)
    #expect(bench.held == ["far", "other"])
    #expect(bench.events == ["low"])
  }

  @Test(
    "when two states lead to each other without a delay, the waits between transitions double up to a minute")
  func flipFlop() throws {
    var bench = try bench(
      """
      policy "p"
      machine ride starts a {
        state a { goto b when battery.level > 0 % }
        state b { goto a when battery.level > 0 % }
      }
      """)
    bench.set("battery.level", "50 %", at: 1)
    // The transitions occur after 0, 1, 3, 7 … milliseconds, and finally once a minute.
    bench.run(to: 1.1)
    #expect(bench.moves == 7)
    bench.run(to: 3601)
    #expect((70...80).contains(bench.moves))
    // After a pause without transitions, the waits are short again.
    bench.set("battery.level", "0 %", at: 4000)
    bench.run(to: 4100)
    let before = bench.moves
    bench.set("battery.level", "50 %", at: 5000)
    bench.run(to: 5000.1)
    #expect(bench.moves == before + 7)
  }

  @Test("a `goto` whose condition reads a state of another machine acts when that state is entered")
  func follows() throws {
    var bench = try bench(
      """
      policy "p"
      machine ride starts a { state a { goto b when battery.level > 50 % } state b { goto a when battery.level < 40 % } }
      machine light starts off { state off { goto on when ride is b } state on { goto off when ride is a } }
      rule lit while light is on { batch test.sensor until 1 min }
      """)
    bench.set("battery.level", "60 %", at: 1)
    bench.run(to: 1.01)
    #expect(bench.held.contains("lit"))
    bench.set("battery.level", "30 %", at: 2)
    bench.run(to: 2.01)
    #expect(!bench.held.contains("lit"))
  }

  @Test("X04: a reload keeps the state by its name; a machine whose state was removed starts again")
  func reload() throws {
    var bench = try bench()
    bench.set("motion.activity", "walking", at: 5)
    let reordered = """
      policy "p"
      budget b = 5 J per day on test.sensor { at 80 % { downgrade test.sensor to 100 m } }
      machine ride starts parked {
        state lost { goto parked when motion.activity is walking }
        state riding { goto parked when motion.activity is still }
        state parked { goto lost when battery.level < 5 % goto riding when motion.activity is walking }
      }
      """
    try bench.load(reordered, at: 6)
    #expect(bench.state == "riding")
    try bench.load(
      "policy \"p\"\nmachine ride starts parked { state parked { goto on when battery.level < 5 % } "
        + "state on { goto parked when battery.level > 6 % } }", at: 7)
    #expect(bench.state == "parked")
  }
}

extension GovernorBench {
  /// The number of transitions of state machines.
  fileprivate var moves: Int { log.count { $0.contains(" machine ") } }

  fileprivate var state: String {
    guard let fact = governor.vocabulary.fact("p/ride") else { return "" }
    return governor.vocabulary.facts[fact].text(of: governor.facts.value(fact))
  }

  /// The rules in force, without the transitions between states.
  fileprivate var held: [String] {
    guard let machine = governor.machine else { return [] }
    return machine.image.rules.indices.filter {
      machine.isActive(rule: $0) && !machine.image.rules[$0].directives.isEmpty
    }
    .map { machine.image.rules[$0].id.rule }
  }

  fileprivate var events: [String] {
    effects.compactMap { effect in
      if case .act(_, .emit(let name)) = effect { name } else { nil }
    }
  }
}
