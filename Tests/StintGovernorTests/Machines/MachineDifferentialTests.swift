import StintGovernor
import StintMachine
import StintModel
import StintTestSupport
import StintUnits
import Testing

@Suite("State machines and a reference model")
struct MachineDifferentialTests {
  /// The length of one random run in milliseconds.
  private static let length = 90

  /// The states, active rules and acts of a policy, for the comparison of governor and reference.
  private struct PolicyState: Equatable {
    var states: [Int]
    var held: [String]
    var acted: [String]
  }

  @Test(
    "X04: states, rules in force and actions equal those of the reference, even across reloads",
    arguments: Trials(1500).rounds
  )
  func agrees(seed: Int) throws {
    var generator = SplitMix(seed: UInt64(seed))
    let machines = RandomMachines(using: &generator)
    let text = machines.text(isTurned: false)
    var bench = try GovernorBench()
    try bench.load(text, at: 0)
    var reference = MachineReference(machines)
    for time in 0..<Self.length {
      let second = Double(time) / 1000
      if time > 0 {
        bench.run(to: second)
        reference.pass(to: time)
      }
      if generator.once(in: 6) {
        let level: Int? = generator.once(in: 6) ? nil : Int.random(in: 0...9, using: &generator) * 10 + 5
        bench.tell("battery.level", level.map { .number(Double($0) / 100) } ?? .unknown, at: second)
        reference.set(level: level, at: time)
      }
      if generator.once(in: 6) {
        let isWalking: Bool? = generator.once(in: 6) ? nil : generator.once(in: 2)
        bench.tell("motion.activity", isWalking.map { .symbol($0 ? 1 : 0) } ?? .unknown, at: second)
        reference.set(isWalking: isWalking, at: time)
      }
      if generator.once(in: 12) {
        try bench.load(machines.text(isTurned: generator.once(in: 2)), at: second)
      }
      let expected = PolicyState(
        states: reference.states, held: reference.activeLevelRules.sorted(), acted: reference.acted.sorted())
      let found = PolicyState(
        states: bench.states(machines.states.count), held: bench.held, acted: bench.acted)
      guard found != expected else { continue }
      Issue.record("seed \(seed), \(time) ms: \(found), not \(expected)\n\(text)")
      return
    }
  }

  @Test("F9: equal inputs give equal decision logs, byte for byte", arguments: 0..<10)
  func repeats(seed: Int) throws {
    func log() throws -> [String] {
      var generator = SplitMix(seed: UInt64(seed))
      var bench = try GovernorBench()
      try bench.load(RandomMachines(using: &generator).text(isTurned: false), at: 0)
      for time in 1..<Self.length where generator.once(in: 4) {
        let level = Double(Int.random(in: 0...100, using: &generator)) / 100
        bench.tell("battery.level", .number(level), at: Double(time) / 1000)
      }
      return bench.log
    }
    #expect(try log() == log())
  }
}

extension GovernorBench {
  fileprivate mutating func tell(_ path: String, _ value: FactValue, at second: Double) {
    guard let fact = governor.vocabulary.fact(path) else { preconditionFailure("no fact \(path)") }
    input(.fact(fact, value), at: second)
  }

  fileprivate func states(_ count: Int) -> [Int] {
    (0..<count).map { machine in
      guard let fact = governor.vocabulary.fact("p/m\(machine)") else { return -1 }
      let word = governor.vocabulary.facts[fact].text(of: governor.facts.value(fact))
      return Int(word.dropFirst()) ?? -1
    }
  }

  /// The rules in force, without the transitions between states.
  fileprivate var held: [String] {
    guard let machine = governor.machine else { return [] }
    let rules = machine.image.rules
    return rules.indices.filter { machine.isActive(rule: $0) && !rules[$0].directives.isEmpty }
      .map { rules[$0].id.rule }.sorted()
  }

  fileprivate var acted: [String] {
    effects.compactMap { effect in
      if case .act(_, .emit(let name)) = effect { name } else { nil }
    }
    .sorted()
  }
}
