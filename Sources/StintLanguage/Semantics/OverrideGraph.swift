import StintModel

/// Which rules put which aside, and where that goes in circles.
struct OverrideGraph {
  private let edges: [RuleID: [RuleID]]
  private let order: [RuleID]

  /// Takes the rules in the order of their files.
  init(_ rules: [CheckedRule]) {
    var edges: [RuleID: [RuleID]] = [:]
    for rule in rules where edges[rule.id] == nil { edges[rule.id] = rule.overrides }
    self.edges = edges
    order = rules.map(\.id)
  }

  /// A circle for each place where a way comes back to itself, in order; each rule is looked at once.
  func circles() -> [[RuleID]] {
    var found: [[RuleID]] = []
    var done: Set<RuleID> = []
    for root in order where !done.contains(root) {
      // The way from the root to where we are, with the number of the next rule to look at from each.
      var way: [(id: RuleID, next: Int)] = [(root, 0)]
      var onWay: [RuleID: Int] = [root: 0]
      while let (id, next) = way.last {
        let targets = edges[id] ?? []
        guard next < targets.count else {
          done.insert(id)
          onWay[id] = nil
          way.removeLast()
          continue
        }
        way[way.count - 1].next += 1
        let target = targets[next]
        if let start = onWay[target] {
          found.append(way[start...].map(\.id))
        } else if !done.contains(target) {
          onWay[target] = way.count
          way.append((target, 0))
        }
      }
    }
    return found
  }
}
