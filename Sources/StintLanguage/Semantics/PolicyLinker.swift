import StintModel

/// Checks policies that are loaded together: names of policies and rules, cycles of overrides, and the size
/// of the image.
enum PolicyLinker {
  static func link(_ checkers: inout [PolicyChecker]) {
    checkNames(&checkers)
    let ids = Set(checkers.flatMap { $0.policy.rules.map(\.id) })
    let budgets = Set(checkers.flatMap { $0.policy.rules.filter(\.isBudget).map(\.id) })
    for index in checkers.indices {
      for item in checkers[index].file.allRules {
        for name in item.overrides {
          checkRuleName(name, among: ids, &checkers[index])
          if budgets.contains(checkers[index].overridden(name)) {
            checkers[index].report(
              .overBudget, "no rule can override a budget", name.span, hint: "raise the budget instead")
          }
        }
      }
      for rule in checkers[index].policy.rules.indices {
        checkers[index].policy.rules[rule].overrides.removeAll { !ids.contains($0) }
      }
    }
    checkCauses(among: ids, &checkers)
    reportCircles(&checkers)
    checkRoom(&checkers)
  }

  /// Reports two policies with the same name, because messages could not distinguish them.
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

  private static func checkRuleName(_ name: Name, among ids: Set<RuleID>, _ checker: inout PolicyChecker) {
    let namesPolicy = name.text.contains("/")
    guard !name.text.isEmpty, !ids.contains(checker.overridden(name)) else { return }
    guard checker.hasRoom(for: .error) else { return }
    let known = checker.maySuggest(among: ids.count) ? ids : []
    let candidates = known.filter { namesPolicy || $0.policy == checker.policy.name }.map {
      namesPolicy ? $0.description : $0.rule
    }
    checker.reportUnknown(
      .unknownRule, "no rule is called “\(name.text)”", name.span, name.text, among: candidates.sorted(),
      else: namesPolicy ? "name the files of both policies in the same command" : nil)
  }

  /// Reports expectations whose `because` refers to a rule that does not exist.
  private static func checkCauses(among ids: Set<RuleID>, _ checkers: inout [PolicyChecker]) {
    for index in checkers.indices {
      for case .test(let item) in checkers[index].file.items {
        for case .expect(_, _, let name?) in item.steps.map(\.kind) {
          let rule = checkers[index].overridden(name)
          if !ids.contains(where: { $0.isPart(of: rule) }) {
            checkRuleName(name, among: ids, &checkers[index])
          }
        }
      }
    }
  }

  private static func reportCircles(_ checkers: inout [PolicyChecker]) {
    let graph = OverrideGraph(checkers.flatMap(\.policy.rules))
    for circle in graph.circles() {
      // The cycle is shown from its first name in sort order, independent of the rule at which the search
      // began.
      guard let first = circle.min(), let start = circle.firstIndex(of: first),
        let index = checkers.firstIndex(where: { $0.policy.name == first.policy }),
        let rule = checkers[index].policy.rules.first(where: { $0.id == first })
      else { continue }
      let names = (circle[start...] + circle[...start]).map(\.description)
      let shown = names.count > 12 ? Array(names.prefix(10)) + ["…", first.description] : names
      checkers[index].report(
        .circularOver, "these rules override each other: \(shown.joined(separator: " over "))", rule.span,
        hint: "remove one “over”; without it, the rule that saves more energy wins")
    }
  }
}
