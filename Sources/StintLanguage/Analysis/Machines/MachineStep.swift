import StintModel

/// A move of a machine, with what it waits for beside the state that it leaves.
struct MachineStep {
  /// The place of its goto in the file, among those of the policy.
  var number: Int
  var source: Int
  var target: Int
  var condition: CheckedExpression
  /// Both together: the condition of its rule.
  var whole: CheckedExpression

  /// A move's rule holds while the machine is in a state and something else is true; nil where it is written
  /// otherwise.
  init?(_ move: StateTransition, _ rule: CheckedRule?, number: Int) {
    guard let whole = rule?.trigger.condition, case .and(let parts) = whole.kind, parts.count == 2,
      case .oneOf(let fact, let states) = parts[0].kind, fact.path == move.machine,
      case .symbol(let source)? = states.first
    else { return nil }
    self.number = number
    self.source = source
    target = move.target
    condition = parts[1]
    self.whole = whole
  }

  /// Whether it waits for a time in the state that it leaves.
  func takesTime(in machine: String) -> Bool {
    let parts: [CheckedExpression]
    if case .and(let operands) = condition.kind { parts = operands } else { parts = [condition] }
    return parts.contains { part in
      guard case .heldFor(let operand, _, _) = part.kind else { return false }
      return operand.facts == [machine]
    }
  }

  /// The moves of a machine in the order of the file, those that cannot hold left out; nil where one is written
  /// otherwise.
  static func all(of machine: String, in policy: CheckedPolicy) -> [MachineStep]? {
    var steps: [MachineStep] = []
    for (number, move) in policy.moves.enumerated() where move.machine == machine {
      let rule = policy.rules.first { $0.id == move.rule }
      guard rule?.isInert == false else { continue }
      guard let step = MachineStep(move, rule, number: number) else { return nil }
      steps.append(step)
    }
    return steps
  }
}
