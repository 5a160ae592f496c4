import StintModel

/// Computes how often the state machines of policies change their state.
///
/// Each of these reasons gives a transition a bound:
/// - While its condition is true, no transition out of its target state is possible. The machine then leaves
///   the target state only after the condition has become false or unknown. So the condition becomes true
///   again between two such transitions.
/// - Its condition needs a momentary fact, such as `enter(home)`. The machine makes at most one transition at
///   an instant.
/// - It waits in its source state. It happens at most once per wait.
/// - All transitions into its source state, or all transitions out of its target state, have a bound. One of
///   them happens between two such transitions.
struct StateMachineRates {
  private(set) var byPath: [String: RateBound] = [:]

  init(_ policies: [CheckedPolicy], facts: FactRate, vocabulary: Vocabulary) {
    let machines = Set(policies.flatMap { $0.moves.map(\.machine) })
    guard !machines.isEmpty else { return }
    let solver = Solver(policies, vocabulary: vocabulary)
    for policy in policies {
      let conditions = ConditionRate(facts: facts, schedules: policy.schedules)
      for machine in Set(policy.moves.map(\.machine)).sorted() {
        guard let steps = MachineStep.all(of: machine, in: policy) else {
          byPath[machine] = .unbounded("\(machine) may change at any time")
          continue
        }
        byPath[machine] = pace(of: steps, machine, policy.name, conditions, solver)
      }
    }
  }

  private func pace(
    of steps: [MachineStep], _ machine: String, _ policy: String, _ conditions: ConditionRate,
    _ solver: Solver
  ) -> RateBound {
    func excludes(_ conditions: CheckedExpression...) -> Bool {
      solver.excludes(conditions.map { Claim(condition: $0, policy: policy, mode: .holds) })
    }
    let own = steps.map { step -> RateBound in
      let exits = steps.filter { $0.source == step.target && $0.target != step.target }
      let isOncePerChange =
        exits.allSatisfy { excludes(step.condition, $0.condition) } || excludes(step.withoutPulses)
      let waits = step.wait.map { RateBound.spaced($0, else: "a “for” of 0 s") + .atMost(1) }
      guard isOncePerChange else { return waits ?? .unbounded("\(machine) may oscillate at any rate") }
      let changeRate = conditions.changeRate(of: step.condition).toTrue + .atMost(1)
      return waits.map { .min($0, changeRate) } ?? changeRate
    }
    return .sum(Self.limited(own, by: steps))
  }

  /// Returns the bounds of the steps, where each step without a bound gets the bound of the steps before it
  /// or after it.
  private static func limited(_ own: [RateBound], by steps: [MachineStep]) -> [RateBound] {
    var bounds = own
    func sum(_ isNeighbour: (MachineStep) -> Bool) -> RateBound {
      .sum(zip(steps, bounds).filter { $0.0.source != $0.0.target && isNeighbour($0.0) }.map(\.1))
    }
    // Each pass gives at least one more step a bound, or is the last pass.
    for _ in steps {
      let before = bounds
      for (number, step) in steps.enumerated() where step.source != step.target {
        guard case .unbounded = bounds[number] else { continue }
        let neighbours = RateBound.min(
          sum { $0.target == step.source } + .atMost(1), sum { $0.source == step.target } + .atMost(1))
        bounds[number] = .min(bounds[number], neighbours)
      }
      if bounds == before { break }
    }
    return bounds
  }
}
