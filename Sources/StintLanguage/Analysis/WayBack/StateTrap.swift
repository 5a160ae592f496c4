import StintModel

/// A set of states in which state machines keep devices off. No transition leaves the set while those devices
/// are off.
struct StateTrap {
  /// One state machine of a trap.
  struct Machine {
    var policy: CheckedPolicy
    /// The path of the machine's fact.
    var path: String
    /// The states that the machine can still have.
    var states: Set<Int>
    /// The transitions out of these states.
    var exits: [MachineStep]
    /// The shortest sequence of transitions from the initial state to the state from which the search found
    /// the trap.
    var run: [MachineStep]
  }

  /// The state machines of the trap; never empty.
  var machines: [Machine]
  /// The rules that keep the devices off.
  var rules: [SwitchOffRule]
  /// The devices that stay off, sorted.
  var devices: [DeviceID]
  /// The facts that can no longer change, with values that keep the devices off.
  var readings: [Witness.Reading]

  /// Returns whether a state of a machine belongs to both traps.
  func shares(statesWith other: StateTrap) -> Bool {
    machines.contains { machine in
      other.machines.contains { $0.path == machine.path && !$0.states.isDisjoint(with: machine.states) }
    }
  }
}

/// A state machine of a policy, with the states that it can reach.
struct TrapMachine {
  var policy: CheckedPolicy
  /// The path of the machine's fact.
  var path: String
  var initial: Int
  var steps: [MachineStep]
  /// The shortest sequence of transitions to each reachable state.
  private(set) var runs: [Int: [MachineStep]]

  /// Returns the machines whose transitions can all be represented as steps, in the order of the policies.
  static func all(of policies: [CheckedPolicy], vocabulary: Vocabulary) -> [TrapMachine] {
    guard policies.contains(where: { !$0.moves.isEmpty }) else { return [] }
    let solver = Solver(policies, vocabulary: vocabulary)
    return policies.flatMap { policy in
      policy.computed.compactMap { fact in
        guard case .machine(let initial) = fact.source,
          let steps = MachineStep.all(of: fact.schema.path, in: policy)
        else { return nil }
        var machine = TrapMachine(
          policy: policy, path: fact.schema.path, initial: initial, steps: steps, runs: [initial: []])
        machine.follow(solver)
        return machine
      }
    }
  }

  /// Computes `runs` by following the transitions whose conditions can be true.
  private mutating func follow(_ solver: Solver) {
    let possible = steps.filter {
      !solver.excludes([Claim(condition: $0.condition, policy: policy.name, mode: .holds)])
    }
    var front = [initial]
    while !front.isEmpty {
      var next: [Int] = []
      for state in front {
        for step in possible where step.source == state && runs[step.target] == nil {
          runs[step.target] = (runs[state] ?? []) + [step]
          next.append(step.target)
        }
      }
      front = next
    }
  }

  /// Returns the transitions out of a set of states.
  func exits(of states: Set<Int>) -> [MachineStep] {
    steps.filter { states.contains($0.source) && !states.contains($0.target) }
  }

  /// Returns the transitions into a set of states; nil when the initial state is one of them.
  func entries(of states: Set<Int>) -> [MachineStep]? {
    if states.contains(initial) { return nil }
    return steps.filter {
      !states.contains($0.source) && states.contains($0.target) && runs[$0.source] != nil
    }
  }

  /// Returns the name of a state.
  func word(_ state: Int) -> String {
    let fact = policy.computed.first { $0.schema.path == path }
    return fact?.schema.text(of: .symbol(state)) ?? "\(state)"
  }
}
