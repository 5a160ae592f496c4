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
    for part in children where !part.spend(&budget, levels - 1) { return false }
    return true
  }

  /// How many values its code holds at once while it is evaluated.
  ///
  /// Code evaluates operands from left to right: an operand finds the values of those before it on the stack, or what
  /// a chain of “and” or “or” made of them.
  public var stackDepth: Int {
    fold { part, depths in
      switch part.kind {
      // Nothing divided by nothing.
      case .constant(.unknown): 2
      case .constant, .fact, .known, .demanded, .inSchedule, .age, .window: 1
      // A fact beside a constant takes one instruction.
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
