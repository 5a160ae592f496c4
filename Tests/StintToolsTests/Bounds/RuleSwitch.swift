import StintModel

@testable import StintLanguage

/// Facts that bring a rule into force, and facts that end the rule.
struct RuleSwitch {
  var on: [(fact: Int, value: FactValue)]
  var off: [(fact: Int, value: FactValue)]

  /// Returns the switches of all rules for which both kinds of facts were found.
  static func all(_ policies: [CheckedPolicy], _ vocabulary: Vocabulary) -> [RuleSwitch] {
    policies.flatMap { policy in
      policy.rules.compactMap { rule in
        rule.trigger.condition.flatMap { RuleSwitch($0, of: policy, vocabulary) }
      }
    }
  }

  private init?(_ condition: CheckedExpression, of policy: CheckedPolicy, _ vocabulary: Vocabulary) {
    let vocabulary = vocabulary.computing(policy.computed)
    var space = ConditionSpace(vocabulary: vocabulary)
    space.note(condition, of: policy.name)
    space.finish()
    let truth = Formula.certain(space.formula(condition, of: policy.name))
    guard let on = Self.facts(truth, space, vocabulary), let off = Self.facts(.not(truth), space, vocabulary)
    else { return nil }
    self.on = on
    self.off = off
  }

  private static func facts(
    _ formula: Formula, _ space: ConditionSpace, _ vocabulary: Vocabulary
  ) -> [(fact: Int, value: FactValue)]? {
    let counts = space.variables.map(\.cells.count)
    var search = SatisfiabilitySearch(formula, isFixed: counts.map { _ in true }, counts: counts)
    guard case .satisfiable(let cells) = search.run() else { return nil }
    return zip(space.variables, cells).compactMap { variable, cell in
      guard let cell, case .fact(let path) = variable.leaf, let fact = vocabulary.fact(path),
        fact < vocabulary.firstComputed
      else { return nil }
      return (fact, space.value(variable.cells[cell], of: path))
    }
  }
}
