import StintModel

/// A `for` in a `goto` or rule of a state counts only while the machine is in that state.
///
/// `goto b when X for 20 s` in a state `a` of a machine `m` is checked as `(m is a and X) for 20 s`. The
/// added conjunction and the state have the span of X, so that messages point at the author's own condition.
extension CheckedExpression {
  /// Returns a copy in which each `for` also requires the state.
  ///
  /// `in last` looks back beyond the state, so its operand is unchanged.
  func counting(in state: CheckedExpression) -> CheckedExpression {
    switch kind {
    case .inLast: return self
    case .heldFor(let operand, let span, let tolerate):
      var state = state
      state.span = operand.span
      let both = CheckedExpression(
        kind: .and([state, operand.counting(in: state)]), type: .boolean, span: operand.span)
      var copy = self
      copy.kind = .heldFor(both, span, tolerate: tolerate)
      return copy
    default: return map { $0.counting(in: state) }
    }
  }

  /// The author's own operand, when this expression is the operand of a `for` that counts in a state. Nil for
  /// any other expression.
  public var countedInState: CheckedExpression? {
    guard case .and(let parts) = kind, parts.count == 2, parts.allSatisfy({ $0.span == span }),
      case .oneOf(let fact, let states) = parts[0].kind, case .fact = fact.kind, states.count == 1
    else { return nil }
    return parts[1]
  }

  /// True for a `for` that counts only in a state.
  var isCountedInState: Bool {
    guard case .heldFor(let operand, _, _) = kind else { return false }
    return operand.countedInState != nil
  }

  /// The condition as its author wrote it: each `for` without the state in which it counts.
  var asWritten: CheckedExpression {
    let own = countedInState ?? self
    return own.map(\.asWritten)
  }

  /// Returns a copy in which `change(for, isNegated)` replaces each `for` that counts in a state. `isNegated`
  /// is true when the `for` is inside an odd number of negations.
  func changingCounts(
    isNegated: Bool = false, _ change: (CheckedExpression, Bool) -> CheckedExpression
  ) -> CheckedExpression {
    if isCountedInState { return change(self, isNegated) }
    switch kind {
    case .not: return map { $0.changingCounts(isNegated: !isNegated, change) }
    case .implies(let left, let right):
      var copy = self
      copy.kind = .implies(
        left.changingCounts(isNegated: !isNegated, change), right.changingCounts(isNegated: isNegated, change)
      )
      return copy
    default: return map { $0.changingCounts(isNegated: isNegated, change) }
    }
  }

  /// A condition that is always false, with the span of this condition.
  var replacedByFalse: CheckedExpression {
    CheckedExpression(kind: .constant(.boolean(false)), type: .boolean, span: span)
  }

  /// The value of a `for` that has not counted yet: unknown while its operand is unknown, otherwise false.
  var uncounted: CheckedExpression {
    guard case .heldFor(let operand, _, _) = kind else { return self }
    let own = operand.asWritten
    let negated = CheckedExpression(kind: .not(own), type: .boolean, span: span)
    return CheckedExpression(kind: .and([own, negated]), type: .boolean, span: span)
  }
}
