import StintModel
import StintUnits

extension RuleTable {
  /// Returns true when each part of the rule's condition follows from one part of the other rule's condition.
  func isImplied(_ rule: Int, by other: Int) -> Bool {
    parts[rule].allSatisfy { part in parts[other].contains { part.isImplied(by: $0) } }
  }

  /// Returns true when the rule may still wait for a `for` of its condition while `other` is in force.
  ///
  /// That is the case when the condition of `other` does not imply how long the operand has held.
  func mayWait(_ rule: Int, whenever other: Int) -> Bool {
    guard !samples[other].isEmpty else { return false }
    return parts[rule].contains { part in
      guard case .heldFor = part.kind else { return false }
      return !holds[other].contains { part.isImplied(by: $0) }
    }
  }
}

extension CheckedExpression {
  /// The operands of nested `and`; the condition itself when it is no conjunction.
  var conjuncts: [CheckedExpression] {
    guard case .and(let operands) = kind else { return [self] }
    return operands.flatMap(\.conjuncts)
  }

  /// All `for` parts of the condition.
  var holds: [CheckedExpression] {
    var found: [CheckedExpression] = []
    visit { part in if case .heldFor = part.kind { found.append(part) } }
    return found
  }
}
