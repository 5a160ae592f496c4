/// A random policy with state machines that read each other, as text and as a model.
struct RandomMachines {
  struct Way {
    var from: Int
    var to: Int
    var condition: ModelCondition
  }

  struct Rule {
    var name: String
    /// The machine and state that contain the rule; nil outside of machines.
    var home: (machine: Int, state: Int)?
    /// True for a `when` or `every` rule, which acts each time its condition becomes true.
    var isEdge: Bool
    var condition: ModelCondition
  }

  /// The number of states of each machine. Each machine begins in its first state.
  var states: [Int]
  /// The transitions of each machine, in the order of the text.
  var ways: [[Way]]
  var rules: [Rule]

  init(using generator: inout SplitMix) {
    let counts = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
      Int.random(in: 2...4, using: &generator)
    }
    states = counts
    ways = counts.map { count in
      (0..<count).flatMap { from in
        (0..<Int.random(in: 1...2, using: &generator)).map { _ in
          let others = (0..<count).filter { $0 != from }
          return Way(
            from: from, to: others[Int.random(in: others.indices, using: &generator)],
            condition: .random(states: counts, depth: 2, using: &generator))
        }
      }
    }
    rules = (0..<6).map { number in
      let machine = Int.random(in: counts.indices, using: &generator)
      let state = Int.random(in: 0..<counts[machine], using: &generator)
      return Rule(
        name: "r\(number)", home: number < 3 ? (machine, state) : nil, isEdge: generator.once(in: 2),
        condition: .random(states: counts, depth: 2, using: &generator))
    }
  }

  /// Returns the policy as text. With `isTurned`, the machines and their states are in reverse order; the
  /// meaning is equal.
  func text(isTurned: Bool) -> String {
    var lines = ["policy \"p\""]
    let machines = isTurned ? states.indices.reversed() : Array(states.indices)
    for machine in machines {
      lines.append("machine m\(machine) starts s0 {")
      let numbers = isTurned ? (0..<states[machine]).reversed() : Array(0..<states[machine])
      for state in numbers {
        lines.append("  state s\(state) {")
        for way in ways[machine] where way.from == state {
          lines.append("    goto s\(way.to) when \(way.condition.text)")
        }
        for rule in rules {
          if let home = rule.home, home == (machine, state) { lines.append("    " + text(of: rule)) }
        }
        lines.append("  }")
      }
      lines.append("}")
    }
    lines += rules.filter { $0.home == nil }.map(text)
    return lines.joined(separator: "\n")
  }

  private func text(of rule: Rule) -> String {
    rule.isEdge
      ? "rule \(rule.name) when \(rule.condition.text) { emit \"\(rule.name)\" }"
      : "rule \(rule.name) while \(rule.condition.text) { batch test.sensor until 1 min }"
  }

  /// Returns the condition of a transition, in which each `for` counts only time in the state that the
  /// transition leaves.
  func condition(of way: Way, _ machine: Int) -> ModelCondition {
    way.condition.counting(in: .state(machine: machine, [way.from]))
  }

  /// Returns the condition of a rule. A rule inside a state also requires that state, and each `for` counts
  /// only time in that state.
  func condition(of rule: Rule) -> ModelCondition {
    guard let home = rule.home else { return rule.condition }
    let state = ModelCondition.state(machine: home.machine, [home.state])
    return .and(state, rule.condition.counting(in: state))
  }
}
