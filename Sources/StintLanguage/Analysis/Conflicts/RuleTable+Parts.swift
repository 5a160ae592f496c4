import StintModel
import StintUnits

extension RuleTable {
  /// Returns true when each part of the rule's condition follows from one part of the other rule's condition.
  func isImplied(_ rule: Int, by other: Int) -> Bool {
    parts[rule].allSatisfy { part in parts[other].contains { part.isImplied(by: $0) } }
  }

  /// Returns true when `other` may be in force before a `for` in the condition of `rule` has elapsed.
  ///
  /// The result is true when `rule` has a `for` that no `for` of `other` implies. It is false when the
  /// condition of `other` has no sample.
  func mayWait(_ rule: Int, whenever other: Int) -> Bool {
    guard !samples[other].isEmpty else { return false }
    return parts[rule].contains { part in
      guard case .heldFor = part.kind else { return false }
      return !forParts[other].contains { part.isImplied(by: $0) }
    }
  }
}

extension CheckedExpression {
  /// The operands of `and`, including those of a nested `and`; for any other condition, the condition alone.
  var conjuncts: [CheckedExpression] {
    guard case .and(let operands) = kind else { return [self] }
    return operands.flatMap(\.conjuncts)
  }

  /// All `for` parts of the condition.
  var forParts: [CheckedExpression] {
    var found: [CheckedExpression] = []
    visit { part in if case .heldFor = part.kind { found.append(part) } }
    return found
  }
}
