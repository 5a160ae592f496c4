public import StintLanguage
import StintModel
import StintUnits

/// A small deliberate mistake in a policy that its tests should detect.
public struct Mutation: Hashable, Sendable {
  /// The changed part of the source.
  public var span: SourceSpan
  /// The change in words: `20 % becomes 22 %`.
  public var text: String
}

struct Mutant {
  var mutation: Mutation
  var policy: CheckedPolicy
}

extension CheckedPolicy {
  /// All mutants of the policy, each with one change. A change of a `let` affects each use of its name.
  ///
  /// Limits and time spans change by ten per cent, and `and` is exchanged with `or`. `release`, `for`,
  /// `in last` and `over` are removed.
  var mutants: [Mutant] {
    var sites: [MutationSite: Int] = [:]
    for expression in rules.flatMap(\.conditions) { expression.collectSites(into: &sites) }
    var mutants: [Mutant] = []
    for site in sites.sorted(by: { ($0.key.span.start, $0.value) < ($1.key.span.start, $1.value) }).map(\.key)
    {
      var changed = self
      for rule in changed.rules.indices { changed.rules[rule].mapConditions { $0.mutated(at: site) } }
      guard changed.rules != rules else { continue }
      mutants.append(Mutant(mutation: Mutation(span: site.span, text: site.kind.text), policy: changed))
    }
    for (number, rule) in rules.enumerated() where !rule.overrides.isEmpty {
      var changed = self
      changed.rules[number].overrides = []
      mutants.append(
        Mutant(
          mutation: Mutation(span: rule.span, text: "“over” of rule \(rule.id.rule) is removed"),
          policy: changed))
    }
    return mutants
  }

  /// The Boolean leaves of the policy's conditions, such as comparisons, sorted by position.
  var branches: [CheckedExpression] {
    var seen: Set<SourceSpan> = []
    var branches: [CheckedExpression] = []
    for expression in rules.flatMap(\.conditions) {
      for leaf in expression.leaves where seen.insert(leaf.span).inserted { branches.append(leaf) }
    }
    return branches.sorted { $0.span.start < $1.span.start }
  }
}

extension CheckedRule {
  /// The trigger's condition, and the `until` of each directive.
  var conditions: [CheckedExpression] {
    var conditions: [CheckedExpression] = []
    switch trigger {
    case .always: break
    case .whilst(let condition), .when(let condition, _): conditions.append(condition)
    case .every(_, _, let condition): if let condition { conditions.append(condition) }
    }
    return conditions + directives.compactMap(\.until)
  }

  mutating func mapConditions(_ change: (CheckedExpression) -> CheckedExpression) {
    switch trigger {
    case .always: break
    case .whilst(let condition): trigger = .whilst(change(condition))
    case .when(let condition, let atMost): trigger = .when(change(condition), atMost: atMost)
    case .every(let period, let flex, let condition):
      trigger = .every(period, flex: flex, condition: condition.map(change))
    }
    for number in directives.indices {
      if let until = directives[number].until { directives[number].until = change(until) }
    }
  }
}
