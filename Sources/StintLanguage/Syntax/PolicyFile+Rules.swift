extension PolicyFile {
  /// Every rule in order of the file, including the rules in states of machines.
  public var allRules: [RuleItem] {
    items.flatMap { item -> [RuleItem] in
      switch item {
      case .rule(let rule): return [rule]
      case .machine(let machine):
        return machine.states.flatMap(\.body).compactMap { statement in
          if case .rule(let rule) = statement { rule } else { nil }
        }
      default: return []
      }
    }
  }
}
