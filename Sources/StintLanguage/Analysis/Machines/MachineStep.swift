import StintModel
import StintUnits

/// A transition of a state machine. Its source state is separate from its condition.
struct MachineStep {
  /// The index of the transition's `goto` among all `goto`s of the policy.
  var number: Int
  var source: Int
  var target: Int
  /// A condition that is true whenever the transition happens. It does not test the source state.
  ///
  /// A `for` begins to count when the machine enters the source state. So a `for` can be false although its
  /// operand has been true for longer than its span. This condition therefore contains `false` in place of
  /// each negated `for`. So it is true whenever the author's condition is true, and possibly more often. A
  /// `for` is negated when the number of `not` and of left sides of `implies` around the `for` is odd.
  var condition: CheckedExpression
  /// The condition as the author wrote it.
  var written: CheckedExpression
  /// The condition at the instant at which the machine enters the source state, when no `for` has counted
  /// yet.
  var atEntry: CheckedExpression
  /// The condition of the rule: the source state and the `goto`'s condition together.
  var whole: CheckedExpression

  /// Creates a step from a transition. Nil when the rule's condition is not of the form “in this state and
  /// …”.
  init?(_ move: StateTransition, _ rule: CheckedRule?, number: Int) {
    guard let whole = rule?.trigger.condition, case .and(let parts) = whole.kind, parts.count == 2,
      case .oneOf(let fact, let states) = parts[0].kind, fact.path == move.machine,
      case .symbol(let source)? = states.first
    else { return nil }
    self.number = number
    self.source = source
    target = move.target
    written = parts[1].asWritten
    condition = parts[1].changingCounts { $1 ? $0.replacedByFalse : $0.asWritten }
    atEntry = parts[1].changingCounts { counting, _ in counting.uncounted }
    self.whole = whole
  }

  /// The longest `for` that must elapse in the source state before the transition; nil when there is no such
  /// `for`.
  var wait: TimeSpan? {
    let parts: [CheckedExpression]
    if case .and(let operands) = written.kind { parts = operands } else { parts = [written] }
    return parts.compactMap { part in
      if case .heldFor(_, let span, _) = part.kind { span } else { nil }
    }.max()
  }

  /// True when a `for` of the condition counts in the source state.
  var countsInState: Bool {
    var counts = false
    whole.visit { if $0.isCountedInState { counts = true } }
    return counts
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
