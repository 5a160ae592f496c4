import StintModel
import StintUnits

/// Translates policies to `ReferenceRule`s. Transitions, budget steps, requirements, and states that have
/// directives also become rules.
extension PolicyReference {
  mutating func translatePolicies() {
    for place in policies.indices {
      for item in policies[place].items {
        switch item {
        case .rule(let rule): add(rule, of: place, while: nil)
        case .machine(let machine): add(machine: machine, of: place)
        case .budget(let budget): add(budget: budget, of: place)
        }
      }
    }
    for place in policies.indices {
      for (number, condition) in policies[place].requirements.enumerated() {
        let id = RuleID(policy: policies[place].name, rule: "require-\(number + 1)")
        let rule = ReferenceRule(id: id, kind: .rise(0), condition: nodes.add(.not(condition), of: place))
        rule.violation = condition.text(world)
        rules.append(rule)
      }
    }
    for rule in rules {
      rule.rivals = rules.indices.filter { rules[$0].over.contains("\(rule.id)") }
    }
  }

  private mutating func add(_ rule: PlanPolicy.Rule, of policy: Int, while state: PlanCondition?) {
    let kind: ReferenceRule.Kind
    var condition: PlanCondition?
    switch rule.trigger {
    case .always: kind = .level
    case .whilst(let written): (kind, condition) = (.level, written)
    case .when(let written, let span):
      (kind, condition) = (.rise(span.map { world.span($0).nanoseconds } ?? 0), written)
    case .every(let span, let flex, let written):
      let flex = flex.map { world.span($0).nanoseconds } ?? 0
      (kind, condition) = (.period(world.span(span).nanoseconds, flex: flex), written)
    }
    // A `for` in a rule of a state counts from the entry into the state.
    if let state {
      let lets = policies[policy].lets
      condition = condition.map { .and([state, $0.counting(in: state, lets: lets)]) } ?? state
    }
    let added = ReferenceRule(
      id: RuleID(policy: policies[policy].name, rule: rule.name), kind: kind,
      condition: condition.map { nodes.add($0, of: policy) })
    added.directives = directives(rule.directives, of: policy)
    added.acts = rule.acts
    added.over = rule.over
    rules.append(added)
  }

  private mutating func directives(_ directives: [PlanPolicy.Directive], of policy: Int) -> [ReferenceRule
    .Directive]
  {
    directives.map { directive in
      var added = ReferenceRule.Directive(action: directive.action, targets: directive.targets)
      if case .deferred(let until, let deadline) = directive.action {
        added.until = nodes.add(until, of: policy)
        added.span = world.span(deadline).nanoseconds
        added.ceiling = added.span
      }
      if let ending = directive.ending {
        added.span = world.span(ending.span).nanoseconds
        added.ceiling = world.span(ending.doublingTo ?? ending.span).nanoseconds
        added.atMost = ending.atMost ?? .max
      }
      return added
    }
  }

  private mutating func add(machine: Int, of policy: Int) {
    for (number, state) in policies[policy].machines[machine].enumerated() {
      let isIn = PlanCondition.states(machine, [number])
      if !state.directives.isEmpty {
        let id = RuleID(policy: policies[policy].name, rule: "mode\(machine)-s\(number)")
        let rule = ReferenceRule(id: id, kind: .level, condition: nodes.add(isIn, of: policy))
        rule.directives = directives(state.directives, of: policy)
        rules.append(rule)
      }
      for rule in state.rules { add(rule, of: policy, while: isIn) }
      var names: [String: Int] = [:]
      for way in state.transitions {
        var name = "mode\(machine)-s\(number)-s\(way.target)"
        names[name, default: 0] += 1
        if let count = names[name], count > 1 { name += "-\(count)" }
        let rule = ReferenceRule(
          id: RuleID(policy: policies[policy].name, rule: name), kind: .level,
          condition: nodes.add(
            .and([isIn, way.condition.counting(in: isIn, lets: policies[policy].lets)]), of: policy))
        rule.move = (policy, machine, way.target)
        rules.append(rule)
      }
    }
  }

  private mutating func add(budget: Int, of policy: Int) {
    for step in policies[policy].budgets[budget].steps {
      let id = RuleID(policy: policies[policy].name, rule: "trail\(budget)-\(step.percent)")
      let condition = PlanCondition.share(budget, .greaterOrEqual, step.percent)
      let rule = ReferenceRule(id: id, kind: .level, condition: nodes.add(condition, of: policy))
      rule.directives = directives(step.directives, of: policy)
      rules.append(rule)
    }
  }
}
