import StintModel
import StintUnits

extension PolicyChecker {
  mutating func declare(budget item: BudgetItem) {
    guard declare(item.name) else { return }
    // A budget has an effect even when no condition reads it.
    used.insert(item.name.text)
    let amount = quantity(.quantity(item.amount), for: .energy, what: "the budget")
    let period = period(item.period)
    let from = item.from?.time ?? .zero
    if let literal = item.from, period == .hour, from >= .hours(1) {
      report(
        .outOfRange, "an hourly period must begin before 01:00", literal.span,
        hint: "as in: per hour from 00:15")
    }
    var devices: [DeviceID] = []
    if item.target.names.map(\.text) == ["all"], aliases["all"] == nil {
      devices = vocabulary.manifests.filter { $0.kind != .source }.map(\.device)
    } else {
      for name in item.target.names { if let (device, _) = device(name) { devices.append(device) } }
    }
    guard let amount, let period else { return }
    guard let energy = amount.energy, energy > .zero else {
      report(.outOfRange, "a budget must be above 0", item.amount.span)
      return
    }
    let path = "\(policy.name)/\(item.name.text)"
    let schema = FactSchema(
      path: path, type: .quantity(.ratio), range: 0...1e9, meaning: "the used share of the budget")
    let budget = Budget(amount: energy, period: period, from: from, devices: Array(Set(devices)).sorted())
    compute(ComputedFact(schema: schema, source: .budget(budget)))
    computedNames[item.name.text] = path
  }

  private mutating func period(_ name: Name) -> Budget.Period? {
    if let period = Budget.Period(rawValue: name.text) { return period }
    guard !name.text.isEmpty else { return nil }
    reportUnknown(
      .unknownWord, "“\(name.text)” is not a period of a budget", name.span, name.text,
      among: Budget.Period.allCases.map(\.rawValue), else: "a budget is per hour, day or week")
    return nil
  }

  /// Checks a budget. Each step becomes a rule that is active as soon as the step's share of the budget is
  /// used. The name of the rule consists of the name of the budget and the share in percent: `trail-80`.
  mutating func checkBudget(_ item: BudgetItem) {
    for step in item.steps {
      missingDevices = []
      guard let share = quantity(.quantity(step.share), for: .ratio, what: "the share") else { continue }
      guard share.value > 0, share.value <= 10 else {
        report(
          .outOfRange, "a step must be above 0 % and at most 1000 % of its budget", step.share.span)
        continue
      }
      let name = "\(item.name.text)-\(Quantity.number((share.value * 100_000).rounded() / 1000))"
      declareRule(Name(text: name, span: step.share.span))
      let condition = reached(item, at: share.value, step.share.span)
      var rule = CheckedRule(
        id: RuleID(policy: policy.name, rule: name), note: "a step of the budget \(item.name.text)",
        span: step.share.span, trigger: .whilst(condition))
      rule.isBudget = true
      for statement in step.body {
        if statement.asksForMore {
          report(
            .budgetLoosens, "a budget step can only limit demands, and “\(statement.verb.text)” raises one",
            statement.verb.span,
            hint: "use stop, pause, downgrade, batch or defer")
          continue
        }
        check(statement, isEdge: false, in: &rule)
      }
      if step.body.isEmpty {
        report(.emptyRule, "this step does nothing", step.share.span, hint: "give it a directive")
      }
      rule.missingDevices = missingDevices.sorted()
      rule.isInert = rule.lacksDevice && rule.doesNothing
      markPerDemand(&rule, step.body)
      policy.rules.append(rule)
    }
  }

  private func reached(_ item: BudgetItem, at share: Double, _ span: SourceSpan) -> CheckedExpression {
    let path = "\(policy.name)/\(item.name.text)"
    let value = CheckedExpression(kind: .fact(path), type: .quantity(.ratio), span: item.name.span)
    let limit = CheckedExpression(kind: .constant(.number(share)), type: .quantity(.ratio), span: span)
    // When the declaration of this budget failed, an error has been reported, and the rule must not name the
    // missing fact.
    guard vocabulary.fact(path) != nil else {
      return .unknown(.boolean, span)
    }
    return CheckedExpression(
      kind: .compare(.greaterOrEqual, value, limit), type: .boolean,
      span: SourceSpan(start: span.start, end: span.end))
  }

  mutating func checkRequirement(_ item: RequireItem) {
    missingDevices = []
    guard let condition = condition(item.condition),
      !reportsClient(in: condition, "in a requirement")
    else { return }
    let id = RuleID(policy: policy.name, rule: "require-\(policy.requirements.count + 1)")
    policy.requirements.append(
      CheckedRequirement(
        id: id, condition: condition, span: item.condition.span, text: source.text(of: item.condition.span)))
  }
}

extension SyntaxStatement {
  /// True when the statement raises a demand, or starts a service that raises demands.
  fileprivate var asksForMore: Bool {
    switch kind {
    case .start, .watch: true
    default: false
    }
  }
}
