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
  /// The condition just after the machine has entered the source state, when no `for` has counted yet and no
  /// momentary fact is true. A second transition at one instant waits, and a momentary fact is then over.
  var atEntry: CheckedExpression
  /// `condition` while no momentary fact is true.
  var withoutPulses: CheckedExpression
  /// The condition of the rule: the source state and the `goto`'s condition together.
  var whole: CheckedExpression

  /// Creates a step from a transition. Nil when the rule's condition is not of the form “in this state and
  /// …”.
  init?(_ move: StateTransition, _ rule: CheckedRule?, number: Int, pulses: Set<String>) {
    guard let whole = rule?.trigger.condition, case .and(let parts) = whole.kind, parts.count == 2,
      case .oneOf(let fact, let states) = parts[0].kind, fact.path == move.machine,
      case .symbol(let source)? = states.first
    else { return nil }
    self.number = number
    self.source = source
    target = move.target
    written = parts[1].asWritten
    condition = parts[1].changingCounts { $1 ? $0.replacedByFalse : $0.asWritten }
    atEntry = parts[1].changingCounts { counting, _ in counting.uncounted }.withoutPulses(pulses)
    withoutPulses = condition.withoutPulses(pulses)
    self.whole = whole
  }

  /// The time that must at least elapse in the source state before the transition, because of a `for`; nil
  /// when the transition may happen at once.
  var wait: TimeSpan? { written.leastWait }

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
    let pulses = Set(policy.computed.filter(\.isPulse).map(\.schema.path))
    for (number, move) in policy.moves.enumerated() where move.machine == machine {
      let rule = policy.rules.first { $0.id == move.rule }
      guard rule?.isInert == false else { continue }
      guard let step = MachineStep(move, rule, number: number, pulses: pulses) else { return nil }
      steps.append(step)
    }
    return steps
  }
}

extension CheckedExpression {
  /// The time for which a `for` keeps the condition false at least; nil when the condition can be true at
  /// once. An `in last` also counts the time before.
  fileprivate var leastWait: TimeSpan? {
    switch kind {
    case .heldFor(_, let span, _): return span
    case .and(let operands): return operands.compactMap(\.leastWait).max()
    case .or(let operands):
      let waits = operands.compactMap(\.leastWait)
      return waits.count == operands.count ? waits.min() : nil
    default: return nil
    }
  }

  /// Returns the condition while these momentary facts are false. An `in last` remains true after its
  /// momentary fact, so its operand is unchanged.
  fileprivate func withoutPulses(_ pulses: Set<String>) -> CheckedExpression {
    switch kind {
    case .fact(let path) where pulses.contains(path): replacedByFalse
    case .inLast: self
    default: map { $0.withoutPulses(pulses) }
    }
  }
}
