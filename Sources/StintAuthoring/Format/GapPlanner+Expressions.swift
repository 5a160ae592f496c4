import StintLanguage

extension GapPlanner {
  /// Plans the gaps between the tokens of a condition. The level increases with the nesting of
  /// breakable parts.
  mutating func plan(_ expression: SyntaxExpression, level: Int = 0) {
    switch expression.kind {
    case .number, .string, .path, .missing: break
    case .quantity(let literal): plan(literal)
    case .call(let name, let arguments):
      let parenthesis = range(name.span).upperBound
      if tokens.indices.contains(parenthesis) { gaps[parenthesis] = .none }
      for argument in arguments { plan(argument, level: level + 1) }
    case .not(let operand), .isWord(let operand, _), .inList(let operand, _), .inName(let operand, _),
      .parenthesised(let operand):
      plan(operand, level: level + 1)
    case .negate(let operand):
      if let sign = tokenIndex(at: expression.span.start), sign + 1 < tokens.count { gaps[sign + 1] = .none }
      plan(operand, level: level + 1)
    case .and(let operands), .or(let operands): plan(operands, level)
    case .implies(let left, let right): plan([left, right], level)
    case .compare(_, let left, let right), .arithmetic(_, let left, let right):
      plan(left, level: level + 1)
      plan(right, level: level + 1)
    case .worded(_, let operands): for operand in operands { plan(operand, level: level + 1) }
    case .heldFor(let operand, let span, let tolerate):
      plan(operand, level: level + 1)
      plan(span)
      if let tolerate { plan(tolerate) }
    case .inLast(let operand, let span):
      plan(operand, level: level + 1)
      plan(span)
    }
  }

  /// Plans operands with possible line breaks before the words that join them.
  private mutating func plan(_ operands: [SyntaxExpression], _ level: Int) {
    for (index, operand) in operands.enumerated() {
      plan(operand, level: level + 1)
      guard index > 0, let first = tokenIndex(at: operand.span.start), first > 0 else { continue }
      gaps[first - 1] = .soft(level: level)
    }
  }
}
