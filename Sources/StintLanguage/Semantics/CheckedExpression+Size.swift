import StintModel

extension CheckedExpression {
  /// Returns true when the expression has at most this many nodes and levels. Stops as soon as a limit is
  /// exceeded.
  func fits(nodes: Int, levels: Int) -> Bool {
    var budget = nodes
    return spend(&budget, levels)
  }

  private func spend(_ budget: inout Int, _ levels: Int) -> Bool {
    budget -= 1
    guard budget >= 0, levels > 0 else { return false }
    for part in children where !part.spend(&budget, levels - 1) { return false }
    return true
  }

  /// The largest number of values on the rule VM's stack during an evaluation.
  ///
  /// Operands are evaluated from left to right. While an operand is evaluated, the values of the operands
  /// before it are on the stack. For a chain of `and` or `or`, these values are combined into a single value.
  public var stackDepth: Int {
    fold { part, depths in
      switch part.kind {
      // Unknown is computed as 0 divided by 0.
      case .constant(.unknown): 2
      case .constant, .fact, .known, .demanded, .inSchedule, .age, .window: 1
      // A comparison of a fact with a constant is one instruction.
      case .compare(_, let left, let right) where left.isFact && right.isKnownConstant: 1
      case .and, .or: depths.enumerated().map { $1 + min($0, 1) }.max() ?? 0
      default: depths.enumerated().map { $1 + $0 }.max() ?? 0
      }
    }
  }

  private var isKnownConstant: Bool {
    if case .constant(let value) = kind { value != .unknown } else { false }
  }
}
