import StintModel

/// Looks at what policies say of each other: the rules that one puts aside, and whether that goes in circles.
enum PolicyLinker {
  static func link(_ checkers: inout [PolicyChecker]) {
    checkNames(&checkers)
    let ids = Set(checkers.flatMap { $0.policy.rules.map(\.id) })
    for index in checkers.indices {
      for case .rule(let item) in checkers[index].file.items {
        for name in item.overrides { find(name, among: ids, &checkers[index]) }
      }
      for rule in checkers[index].policy.rules.indices {
        checkers[index].policy.rules[rule].overrides.removeAll { !ids.contains($0) }
      }
    }
    reportCircles(&checkers)
  }

  /// Two policies of one name could not be told apart in reports.
  private static func checkNames(_ checkers: inout [PolicyChecker]) {
    var seen: [String: String] = [:]
    for index in checkers.indices {
      guard let name = checkers[index].file.name, !name.text.isEmpty else { continue }
      if let other = seen[name.text] {
        checkers[index].report(
          .duplicateName, "policy “\(name.text)” is declared in \(other) too", name.span,
          hint: "give one of them another name")
      } else {
        seen[name.text] = checkers[index].source.file
      }
    }
  }

  private static func find(_ name: Name, among ids: Set<RuleID>, _ checker: inout PolicyChecker) {
    let isElsewhere = name.text.contains("/")
    let id =
      isElsewhere
      ? ids.first { $0.description == name.text }
      : ids.first { $0 == RuleID(policy: checker.policy.name, rule: name.text) }
    guard id == nil, !name.text.isEmpty else { return }
    let candidates = ids.filter { isElsewhere || $0.policy == checker.policy.name }.map {
      isElsewhere ? $0.description : $0.rule
    }
    checker.reportUnknown(
      .unknownRule, "no rule is called “\(name.text)”", name.span, name.text, among: candidates.sorted(),
      else: isElsewhere ? "policies that refer to each other are loaded together" : nil)
  }

  private static func reportCircles(_ checkers: inout [PolicyChecker]) {
    var edges: [RuleID: [RuleID]] = [:]
    for rule in checkers.flatMap(\.policy.rules) { edges[rule.id] = rule.overrides }
    for index in checkers.indices {
      for rule in checkers[index].policy.rules {
        guard let way = circle(from: rule.id, edges), way.min() == rule.id else { continue }
        let names = (way + [rule.id]).map(\.description).joined(separator: " over ")
        checkers[index].report(
          .circularOver, "these rules put each other aside: \(names)", rule.span,
          hint: "take one “over” away; the saver wins anyway")
      }
    }
  }

  /// The rules on a way from one back to itself; nil when there is none.
  private static func circle(from start: RuleID, _ edges: [RuleID: [RuleID]]) -> [RuleID]? {
    var stack: [[RuleID]] = [[start]]
    var seen: Set<RuleID> = []
    while let way = stack.popLast() {
      guard let last = way.last else { continue }
      for next in edges[last] ?? [] {
        if next == start { return way }
        if seen.insert(next).inserted { stack.append(way + [next]) }
      }
    }
    return nil
  }
}
