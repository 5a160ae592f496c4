import StintModel

/// How often the machines of policies move.
///
/// A move is taken anew only after its condition came true anew, wherever every way out of the state that it leads to
/// excludes it: so as often as that, and once more. Elsewhere a machine may go round at any pace.
struct MachinePaces {
  private(set) var byPath: [String: Pace] = [:]

  /// A move with what it waits for beside the state that it leaves.
  private struct Step {
    var source: Int
    var target: Int
    var condition: CheckedExpression
  }

  init(_ policies: [CheckedPolicy], facts: FactPace, vocabulary: Vocabulary) {
    let machines = Set(policies.flatMap { $0.moves.map(\.machine) })
    guard !machines.isEmpty else { return }
    let solver = Solver(policies, vocabulary: vocabulary)
    for policy in policies {
      let conditions = ConditionPace(facts: facts, schedules: policy.schedules)
      for machine in Set(policy.moves.map(\.machine)).sorted() {
        let moves = policy.moves.filter { $0.machine == machine }
        let rules = moves.map { move in policy.rules.first { $0.id == move.rule } }
        let steps = zip(moves, rules).filter { $1?.isInert == false }.map { Self.step($0, $1) }
        guard !steps.contains(where: { $0 == nil }) else {
          byPath[machine] = .unbounded("\(machine) may move at any time")
          continue
        }
        byPath[machine] = paces(of: steps.compactMap { $0 }, machine, policy.name, conditions, solver)
      }
    }
  }

  private func paces(
    of steps: [Step], _ machine: String, _ policy: String, _ conditions: ConditionPace, _ solver: Solver
  ) -> Pace {
    .sum(
      steps.map { step in
        let ways = steps.filter { $0.source == step.target && $0.target != step.target }
        let excludes = ways.allSatisfy { way in
          solver.excludes([
            Claim(condition: step.condition, policy: policy, mode: .holds),
            Claim(condition: way.condition, policy: policy, mode: .holds),
          ])
        }
        guard excludes else { return .unbounded("\(machine) may go round at any pace") }
        return conditions.turns(of: step.condition).toTrue + .atMost(1)
      })
  }

  /// A move's rule holds while the machine is in a state and something else is true; nil where it is written
  /// otherwise.
  private static func step(_ move: MachineMove, _ rule: CheckedRule?) -> Step? {
    guard case .and(let parts)? = rule?.trigger.condition?.kind, parts.count == 2,
      case .oneOf(let fact, let states) = parts[0].kind, fact.path == move.machine,
      case .symbol(let source)? = states.first
    else { return nil }
    return Step(source: source, target: move.target, condition: parts[1])
  }
}
