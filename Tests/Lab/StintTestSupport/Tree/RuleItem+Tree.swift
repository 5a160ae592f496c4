public import StintLanguage

extension RuleItem {
  /// The rule as an S-expression.
  public var tree: TreeNode {
    var parts = [TreeNode.name(name)]
    if let note { parts.append(.text(note)) }
    if !overrides.isEmpty { parts.append(.list("over", overrides.map(TreeNode.name))) }
    return .list("rule", parts + [trigger.tree] + body.map(\.tree))
  }
}

extension SyntaxTrigger {
  var tree: TreeNode {
    switch self {
    case .always: .list("always", [])
    case .whilst(let condition): .list("while", [condition.tree])
    case .when(let condition, let most):
      .list("when", [condition.tree] + TreeNode.optional("at-most", most.map(TreeNode.quantity)))
    case .every(let period, let flex, let condition):
      .list(
        "every",
        [.quantity(period)] + TreeNode.optional("flex", flex.map(TreeNode.quantity))
          + TreeNode.optional("if", condition?.tree))
    }
  }
}

extension SyntaxStatement {
  /// The directive or one-time action as an S-expression.
  public var tree: TreeNode {
    .list(verb.text, parts + (ending.map { [$0.tree] } ?? []))
  }

  private var parts: [TreeNode] {
    switch kind {
    case .start(let target, let client, let settings):
      [target.tree] + TreeNode.optional("client", client.map(TreeNode.text))
        + (settings.isEmpty ? [] : [.list("with", TreeNode.settings(settings))])
    case .stop(let target, let exceptions):
      [target.tree] + (exceptions.isEmpty ? [] : [.list("except", exceptions.map(TreeNode.text))])
    case .pause(let target), .flush(let target): [target.tree]
    case .downgrade(let target, .value(let value)): [target.tree, .value(value)]
    case .downgrade(let target, .settings(let settings)):
      [target.tree, .list("to", TreeNode.settings(settings))]
    case .batch(let target, let bounds): [target.tree, .list("until", bounds.map(TreeNode.value))]
    case .defer(let target, let until, let deadline):
      [target.tree] + TreeNode.optional("until", until?.tree)
        + TreeNode.optional("deadline", deadline.map(TreeNode.quantity))
    case .watch(let name, let target): [.name(name), .list("on", [target.tree])]
    case .fix(let target, let accuracy, let timeout):
      [target.tree, .quantity(accuracy), .list("timeout", [.quantity(timeout)])]
    case .emit(let text), .launch(let text): [.text(text)]
    case .tell(let client, let text): [.text(client), .text(text)]
    }
  }
}

extension SyntaxEnding {
  var tree: TreeNode {
    .list(
      "for",
      [.quantity(duration)] + TreeNode.optional("doubling-to", doublingTo.map(TreeNode.quantity))
        + TreeNode.optional("times", atMost.map(TreeNode.number)))
  }
}

extension SyntaxTarget {
  var tree: TreeNode {
    isList ? .list("list", names.map(TreeNode.name)) : names.first.map(TreeNode.name) ?? .missing
  }
}
