public import StintLanguage
import StintModel

extension SyntaxExpression {
  /// The expression as an S-expression. Parentheses in the source become `(group …)`.
  public var tree: TreeNode {
    switch kind {
    case .number(let literal): .number(literal)
    case .quantity(let literal): .quantity(literal)
    case .string(let literal): .text(literal)
    case .path(let path): .name(path)
    case .call(let name, let arguments): .list("call", [.name(name)] + arguments.map(\.tree))
    case .not(let operand): .list("not", [operand.tree])
    case .negate(let operand): .list("negate", [operand.tree])
    case .and(let operands): .list("and", operands.map(\.tree))
    case .or(let operands): .list("or", operands.map(\.tree))
    case .implies(let left, let right): .list("implies", [left.tree, right.tree])
    case .compare(let comparison, let left, let right): .list(comparison.rawValue, [left.tree, right.tree])
    case .arithmetic(let operation, let left, let right):
      .list(operation.rawValue, [left.tree, right.tree])
    case .worded(let name, let operands): .list(name, Self.worded(name, operands))
    case .isWord(let operand, let word): .list("is", [operand.tree, .name(word)])
    case .inList(let operand, let words):
      .list("in", [operand.tree, .list("list", words.map { $0.isText ? .text($0.text) : .name($0) })])
    case .inName(let operand, let name): .list("in", [operand.tree, .name(name)])
    case .heldFor(let operand, let span, let tolerate):
      .list(
        "for",
        [operand.tree, .quantity(span)] + TreeNode.optional("tolerate", tolerate.map(TreeNode.quantity)))
    case .inLast(let operand, let span): .list("in-last", [operand.tree, .quantity(span)])
    case .parenthesised(let inner): .list("group", [inner.tree])
    case .missing: .missing
    }
  }

  /// Returns the operands of a comparison that is written as a word. An optional operand becomes a separate
  /// list.
  private static func worded(_ name: String, _ operands: [SyntaxExpression]) -> [TreeNode] {
    let comparison = LanguageDefinition.wordedComparison(name)
    return operands.enumerated().map { number, operand in
      comparison?.optionalWord(ofOperand: number).map { .list($0, [operand.tree]) } ?? operand.tree
    }
  }
}
