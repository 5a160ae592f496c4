import StintModel
import StintUnits

extension RuleTable {
  /// Whether the rule's condition is true whenever the other's is, part for part.
  func isImplied(_ rule: Int, by other: Int) -> Bool {
    parts[rule].allSatisfy { part in parts[other].contains { part.isImplied(by: $0) } }
  }

  /// Whether the rule may still wait for one of its parts to have held for long enough while the other is in force,
  /// which says nothing of how long that part has held.
  func mayWait(_ rule: Int, whenever other: Int) -> Bool {
    guard !samples[other].isEmpty else { return false }
    return parts[rule].contains { part in
      guard case .heldFor = part.kind else { return false }
      return !holds[other].contains { part.isImplied(by: $0) }
    }
  }
}

extension CheckedExpression {
  /// The parts that must all be true for it to be.
  var conjuncts: [CheckedExpression] {
    guard case .and(let operands) = kind else { return [self] }
    return operands.flatMap(\.conjuncts)
  }

  /// Every `for` in it.
  var holds: [CheckedExpression] {
    var found: [CheckedExpression] = []
    visit { part in if case .heldFor = part.kind { found.append(part) } }
    return found
  }
}
