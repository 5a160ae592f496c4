import StintModel

/// The graph of rules that override each other, and its cycles.
struct OverrideGraph {
  private let edges: [RuleID: [RuleID]]
  private let order: [RuleID]

  /// Creates the graph; `rules` are in file order.
  init(_ rules: [CheckedRule]) {
    var edges: [RuleID: [RuleID]] = [:]
    for rule in rules where edges[rule.id] == nil { edges[rule.id] = rule.overrides }
    self.edges = edges
    order = rules.map(\.id)
  }

  /// Returns the cycles of the graph, one cycle for each back edge of a depth-first search.
  func circles() -> [[RuleID]] {
    var found: [[RuleID]] = []
    var done: Set<RuleID> = []
    for root in order where !done.contains(root) {
      // The path from the root to the current rule. `next` is the index of the edge that the search follows
      // next from this rule.
      var path: [(id: RuleID, next: Int)] = [(root, 0)]
      var pathIndexes: [RuleID: Int] = [root: 0]
      while let (id, next) = path.last {
        let targets = edges[id] ?? []
        guard next < targets.count else {
          done.insert(id)
          pathIndexes[id] = nil
          path.removeLast()
          continue
        }
        path[path.count - 1].next += 1
        let target = targets[next]
        if let start = pathIndexes[target] {
          found.append(path[start...].map(\.id))
        } else if !done.contains(target) {
          pathIndexes[target] = path.count
          path.append((target, 0))
        }
      }
    }
    return found
  }
}
