public import StintLanguage

extension MachineItem {
  /// The state machine as an S-expression.
  public var tree: TreeNode {
    .list("machine", [.name(name), .list("starts", [.name(initial)])] + states.map(\.tree))
  }
}

extension MachineItem.State {
  var tree: TreeNode { .list("state", [.name(name)] + body.map(\.tree)) }
}

extension MachineItem.Statement {
  var tree: TreeNode {
    switch self {
    case .directive(let statement): statement.tree
    case .rule(let rule): rule.tree
    case .goto(let goto): .list("goto", [.name(goto.target), .list("when", [goto.condition.tree])])
    }
  }
}
