extension CheckedExpression {
  /// Whether it has at most so many parts and levels; takes no longer than counting them.
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
}
