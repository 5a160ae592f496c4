import StintModel

/// States of machines that keep devices off, and out of which nothing leads while they are off.
struct StateTrap {
  /// One machine of a trap.
  struct Machine {
    var policy: CheckedPolicy
    /// The path of its fact.
    var path: String
    /// The states between which it may still move.
    var states: Set<Int>
    /// The moves that lead out of these states.
    var exits: [MachineStep]
    /// The moves by which it comes to the first of these states, from the state in which it begins.
    var run: [MachineStep]
  }

  /// Never empty.
  var machines: [Machine]
  /// The rules that keep the devices off.
  var rules: [SwitchOffRule]
  /// The devices that stay off, sorted.
  var devices: [DeviceID]
  /// The facts that are stuck, with values that keep the devices off.
  var readings: [Witness.Reading]
}

/// A machine of a policy, with the states that it may come to.
struct TrapMachine {
  var policy: CheckedPolicy
  /// The path of its fact.
  var path: String
  var initial: Int
  var steps: [MachineStep]
  /// By state that it may come to: the shortest run to it.
  private(set) var runs: [Int: [MachineStep]]

  /// Every machine of the policies, in their order.
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

  /// The moves out of some states.
  func exits(of states: Set<Int>) -> [MachineStep] {
    steps.filter { states.contains($0.source) && !states.contains($0.target) }
  }

  /// The moves into some states; nil where it may begin in one of them.
  func entries(of states: Set<Int>) -> [MachineStep]? {
    if states.contains(initial) { return nil }
    return steps.filter {
      !states.contains($0.source) && states.contains($0.target) && runs[$0.source] != nil
    }
  }

  /// The word of a state.
  func word(_ state: Int) -> String {
    let fact = policy.computed.first { $0.schema.path == path }
    return fact?.schema.text(of: .symbol(state)) ?? "\(state)"
  }
}
