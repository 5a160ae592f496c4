import StintModel

extension CheckedExpression {
  /// Whether it has at most this many nodes and levels; takes no longer than counting them.
  func fits(nodes: Int, levels: Int) -> Bool {
    var budget = nodes
    return spend(&budget, levels)
  }

  private func spend(_ budget: inout Int, _ levels: Int) -> Bool {
    budget -= 1
    guard budget >= 0, levels > 0 else { return false }
    for part in operands where !part.spend(&budget, levels - 1) { return false }
    return true
  }

  /// How many values its code holds at once while it is evaluated.
  ///
  /// Code evaluates operands from left to right: an operand finds the values of those before it on the stack, or what
  /// a chain of “and” or “or” made of them.
  public var stackDepth: Int {
    switch kind {
    // Nothing divided by nothing.
    case .constant(.unknown): return 2
    case .constant, .fact, .known, .demanded, .inSchedule, .age, .window: return 1
    // A fact beside a constant takes one instruction.
    case .compare(_, let left, let right) where left.isPlainFact && right.isKnownConstant: return 1
    case .and(let operands), .or(let operands):
      var deepest = 0
      for (place, operand) in operands.enumerated() {
        deepest = max(deepest, operand.stackDepth + (place > 0 ? 1 : 0))
      }
      return deepest
    default:
      var deepest = 0
      for (place, operand) in operands.enumerated() { deepest = max(deepest, operand.stackDepth + place) }
      return deepest
    }
  }

  private var isPlainFact: Bool { if case .fact = kind { true } else { false } }

  private var isKnownConstant: Bool {
    if case .constant(let value) = kind { value != .unknown } else { false }
  }
}
