public import StintLanguage

extension TestItem {
  /// The test as an S-expression.
  public var tree: TreeNode { .list("test", [.text(title)] + steps.map(\.tree)) }
}

extension TestStep {
  var tree: TreeNode {
    switch kind {
    case .given(let assignments): .list("given", assignments.map(\.tree))
    case .at(let instant, let event): .list("at", [.quantity(instant), event.tree])
    case .expect(let condition, let moment, let because):
      .list(
        "expect",
        [condition.tree] + (moment.map { [$0.tree] } ?? [])
          + TreeNode.optional("because", because.map(TreeNode.name)))
    }
  }
}

extension TestStep.Assignment {
  var tree: TreeNode { .list("=", [.name(path), .value(value)]) }
}

extension TestStep.Moment {
  var tree: TreeNode {
    switch self {
    case .at(let literal): .list("at", [.quantity(literal)])
    case .by(let literal): .list("by", [.quantity(literal)])
    }
  }
}

extension TestStep.Event {
  var tree: TreeNode {
    switch self {
    case .set(let assignments): .list("set", assignments.map(\.tree))
    case .attach(let client, let device, let settings):
      .list(
        "attach",
        [.text(client)] + TreeNode.optional("on", device.map(TreeNode.name))
          + (settings.isEmpty ? [] : [.list("with", TreeNode.settings(settings))]))
    case .detach(let client): .list("detach", [.text(client)])
    case .reload: .list("reload", [])
    case .missing: .missing
    }
  }
}
