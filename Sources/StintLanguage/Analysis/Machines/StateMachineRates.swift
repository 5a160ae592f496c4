import StintModel

/// Computes how often the state machines of policies change their state.
///
/// A transition has a bound when, while its condition is true, no transition out of its target state is
/// possible. The machine then leaves the target state only after the condition has become false or unknown.
/// So the condition becomes true again between two such transitions. The bound is therefore the number of
/// times at which the condition becomes true, plus one. A transition that waits in its source state happens
/// at most once per wait. All other transitions have no bound.
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
    .sum(
      steps.map { step in
        let exits = steps.filter { $0.source == step.target && $0.target != step.target }
        let excludes = exits.allSatisfy { exit in
          solver.excludes([
            Claim(condition: step.condition, policy: policy, mode: .holds),
            Claim(condition: exit.condition, policy: policy, mode: .holds),
          ])
        }
        let waits = step.wait.map { RateBound.spaced($0, else: "a “for” of 0 s") + .atMost(1) }
        guard excludes else { return waits ?? .unbounded("\(machine) may oscillate at any rate") }
        let changeRate = conditions.changeRate(of: step.condition).toTrue + .atMost(1)
        return waits.map { .min($0, changeRate) } ?? changeRate
      })
  }
}
