import StintModel

/// A transition of a state machine, with its condition beside the source state.
struct MachineStep {
  /// The index of the transition's `goto` among all those of the policy.
  var number: Int
  var source: Int
  var target: Int
  var condition: CheckedExpression
  /// The condition of the rule: the source state and `condition` together.
  var whole: CheckedExpression

  /// Creates a step from a transition; nil when the rule's condition is not of the form “in this state and
  /// …”.
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

  /// Returns true when the transition waits for a time in its source state.
  func takesTime(in machine: String) -> Bool {
    let parts: [CheckedExpression]
    if case .and(let operands) = condition.kind { parts = operands } else { parts = [condition] }
    return parts.contains { part in
      guard case .heldFor(let operand, _, _) = part.kind else { return false }
      return operand.facts == [machine]
    }
  }

  /// Returns the transitions of a machine in file order, without those of inert rules.
  ///
  /// - Returns: nil when a transition cannot be represented as a step.
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
