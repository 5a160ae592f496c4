public import StintLanguage

extension PolicyFile {
  /// The file as an S-expression, without source ranges and comments; `grammar/README.md` describes its
  /// parts.
  public var tree: TreeNode {
    .list(
      "policy",
      [name.map(TreeNode.text) ?? .missing] + TreeNode.optional("version", version.map(TreeNode.number))
        + items.map(\.tree))
  }
}

extension PolicyItem {
  /// The item as an S-expression.
  public var tree: TreeNode {
    switch self {
    case .use(let item): item.tree
    case .let(let item): .list("let", [.name(item.name), item.value.tree])
    case .parameter(let item):
      .list("param", [.name(item.name), .quantity(item.value), .quantity(item.low), .quantity(item.high)])
    case .schedule(let item): item.tree
    case .default(let item): .list("default", [.name(item.target)] + TreeNode.settings(item.settings))
    case .rule(let item): item.tree
    case .zone(let item): item.tree
    case .machine(let item): item.tree
    case .budget(let item): item.tree
    case .require(let item): .list("require", [item.condition.tree])
    case .test(let item): item.tree
    }
  }
}

extension UseItem {
  var tree: TreeNode {
    .list(
      "use",
      [.name(path)] + TreeNode.optional("where", condition?.tree) + [.list("as", [.name(alias)])]
        + (isRequired ? [.word("required")] : []))
  }
}

extension ScheduleItem {
  var tree: TreeNode {
    let windows = windows.map { window in
      let days = window.days.isEmpty ? [] : [TreeNode.list("days", window.days.map(TreeNode.name))]
      return TreeNode.list("window", days + [.clock(window.from), .clock(window.to)])
    }
    return .list("schedule", [.name(name)] + windows)
  }
}

extension ZoneItem {
  var tree: TreeNode {
    .list(
      "zone",
      [.name(name), shape.tree] + TreeNode.optional("enter_after", enterAfter.map(TreeNode.quantity))
        + TreeNode.optional("exit_after", exitAfter.map(TreeNode.quantity)))
  }
}

extension ZoneItem.Shape {
  var tree: TreeNode {
    switch self {
    case .circle(let latitude, let longitude, let radius):
      .list("circle", [.number(latitude), .number(longitude), .quantity(radius)])
    case .beacon(let identity, let major, let minor):
      .list(
        "beacon",
        [.text(identity)] + TreeNode.optional("major", major.map(TreeNode.number))
          + TreeNode.optional("minor", minor.map(TreeNode.number)))
    case .missing: .missing
    }
  }
}
