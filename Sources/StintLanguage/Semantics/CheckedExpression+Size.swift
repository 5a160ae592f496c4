extension CheckedExpression {
  /// Whether it has at most so many parts and levels; takes no longer than counting them.
  func fits(nodes: Int, levels: Int) -> Bool {
    var budget = nodes
    return spend(&budget, levels)
  }

  private func spend(_ budget: inout Int, _ levels: Int) -> Bool {
    budget -= 1
    guard budget >= 0, levels > 0 else { return false }
    for part in parts where !part.spend(&budget, levels - 1) { return false }
    return true
  }

  /// What it is directly made of.
  private var parts: [CheckedExpression] {
    switch kind {
    case .constant, .fact, .inSchedule, .known, .age, .demanded, .window: []
    case .not(let operand), .negate(let operand), .heldFor(let operand, _, _), .inLast(let operand, _),
      .oneOf(let operand, _):
      [operand]
    case .and(let operands), .or(let operands): operands
    case .implies(let left, let right), .compare(_, let left, let right), .arithmetic(_, let left, let right):
      [left, right]
    case .latch(_, let value, let threshold, let release): [value, threshold, release]
    }
  }
}
