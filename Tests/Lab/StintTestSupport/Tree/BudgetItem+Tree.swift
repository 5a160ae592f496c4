public import StintLanguage

extension BudgetItem {
  /// The budget as an S-expression.
  public var tree: TreeNode {
    .list(
      "budget",
      [.name(name), .quantity(amount), .list("per", [.name(period)])]
        + TreeNode.optional("from", from.map(TreeNode.clock)) + [.list("on", [target.tree])]
        + steps.map { .list("at", [.quantity($0.share)] + $0.body.map(\.tree)) })
  }
}
