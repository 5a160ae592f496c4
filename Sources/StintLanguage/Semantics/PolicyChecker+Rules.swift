import StintModel
import StintUnits

extension PolicyChecker {
  /// Checks a rule. A rule in a state of a state machine applies only while the machine is in that state.
  mutating func checkRule(_ item: RuleItem, while state: CheckedExpression? = nil) {
    missingDevices = []
    triggerLabels = Self.labels(of: item.trigger)
    let id = RuleID(policy: policy.name, rule: item.name.text)
    let written = trigger(item.trigger)
    let trigger = state.map { state in written.map { narrowed($0, to: state) } } ?? written
    // The condition on the state is added to the author's condition and makes it larger.
    if state != nil, let condition = trigger?.condition { _ = measured(condition, condition.span) }
    let isEdge =
      switch item.trigger {
      case .always, .whilst: false
      case .when, .every: true
      }
    var rule = CheckedRule(
      id: id, note: item.note?.text, span: item.name.span, trigger: trigger ?? .always)
    for statement in item.body { check(statement, isEdge: isEdge, in: &rule) }
    if item.body.isEmpty, !item.isBroken, !item.name.text.isEmpty {
      report(.emptyRule, "rule “\(item.name.text)” does nothing", item.name.span, hint: "give it a directive")
    }
    rule.overrides = item.overrides.map { overridden($0) }
    rule.missingDevices = missingDevices.sorted()
    rule.isInert = rule.lacksDevice && (rule.doesNothing || rule.neverHolds)
    markPerDemand(&rule, item.body)
    policy.rules.append(rule)
  }

  /// Returns the trigger of a rule in a state. Each `for` of its condition counts from the entry into the
  /// state.
  private func narrowed(_ trigger: CheckedTrigger, to state: CheckedExpression) -> CheckedTrigger {
    func inState(_ condition: CheckedExpression) -> CheckedExpression {
      joined(state, condition.counting(in: state))
    }
    return switch trigger {
    case .always: .whilst(state)
    case .whilst(let condition): .whilst(inState(condition))
    case .when(let condition, let atMost): .when(inState(condition), atMost: atMost)
    case .every(let period, let flex, let condition):
      .every(period, flex: flex, condition: condition.map(inState) ?? state)
    }
  }

  /// Returns labels for the trigger of a `when` or `every` rule, for messages about directives without an
  /// end.
  private static func labels(of trigger: SyntaxTrigger) -> [Diagnostic.Label] {
    switch trigger {
    case .always, .whilst: []
    case .when(let condition, _):
      [Diagnostic.Label(span: condition.span, text: "acts once, when this becomes true")]
    case .every(let period, _, _): [Diagnostic.Label(span: period.span, text: "acts once per period")]
    }
  }

  /// Returns the id of the rule that a name after `over` refers to.
  func overridden(_ name: Name) -> RuleID {
    guard let slash = name.text.firstIndex(of: "/") else {
      return RuleID(policy: policy.name, rule: name.text)
    }
    return RuleID(
      policy: String(name.text[..<slash]), rule: String(name.text[name.text.index(after: slash)...]))
  }

  private mutating func trigger(_ trigger: SyntaxTrigger) -> CheckedTrigger? {
    switch trigger {
    case .always: return .always
    case .whilst(let condition): return self.condition(condition).map(CheckedTrigger.whilst)
    case .when(let condition, let atMost):
      let checked = self.condition(condition)
      var span: TimeSpan?
      if let atMost, let rate = quantity(.quantity(atMost), for: .rate, what: "“at most”") {
        span = timed(rate.period, atMost.span, what: "the time between two acts")
      }
      return checked.map { .when($0, atMost: span) }
    case .every(let period, let flex, let condition):
      let span = positiveTime(period, what: "the period")
      let checkedFlex = flex.flatMap { positiveTime($0, what: "“flex”") }
      let checked = condition.flatMap { self.condition($0) }
      return span.map { .every($0, flex: checkedFlex, condition: checked) }
    }
  }

  mutating func check(_ statement: SyntaxStatement, isEdge: Bool, in rule: inout CheckedRule) {
    if let act = act(statement) {
      if isEdge {
        if let checked = act.checked { rule.acts.append(checked) }
      } else {
        report(
          .actInLevelRule,
          "“\(statement.verb.text)” is a one-time act, and this rule is active for as long as its condition is true",
          statement.verb.span, hint: "begin the rule with “when” or “every”")
      }
      return
    }
    guard let (directives, until) = directive(statement, of: rule.id) else { return }
    let ending = ending(statement, isEdge: isEdge)
    for directive in directives {
      rule.directives.append(
        CheckedDirective(directive: directive, until: until, ending: ending, span: statement.span))
    }
  }

  /// Checks the end of a directive. A directive of a `when` or `every` rule needs an end; a directive of a
  /// `while` or `always` rule must not have one.
  private mutating func ending(_ statement: SyntaxStatement, isEdge: Bool) -> CheckedEnding? {
    guard let ending = statement.ending else {
      if case .defer(_, .some, .some) = statement.kind { return nil }
      if isEdge {
        report(
          .missingEnding, "this “\(statement.verb.text)” begins once and never ends", statement.span,
          label: "has no end", others: triggerLabels,
          hint: "give a duration, as in: for 5 min")
      } else if case .defer(_, nil, _) = statement.kind {
        report(
          .missingDeadline, "this defer has no “until” and no duration", statement.span,
          hint: "write: until CONDITION deadline 18 h")
      }
      return nil
    }
    if !isEdge {
      report(
        .endingInLevelRule,
        "this rule is active for as long as its condition is true; its directive needs no end",
        ending.span, hint: "remove it, or begin the rule with “when”")
      return nil
    }
    guard let duration = positiveTime(ending.duration, what: "the duration") else { return nil }
    var ceiling: TimeSpan?
    if let literal = ending.doublingTo, let span = positiveTime(literal, what: "the ceiling") {
      ceiling = span
      if span < duration {
        report(
          .doublingDownwards, "the ceiling \(span) is below the first duration \(duration)", literal.span,
          hint: "the ceiling is the longest duration")
      }
    }
    var most: Int?
    if let literal = ending.atMost, let count = number(literal, what: "the number of times") {
      most = Int(exactly: count)
      if most.map({ $0 < 1 }) ?? true {
        report(.outOfRange, "expected a whole number of times, at least one", literal.span)
      }
    }
    return CheckedEnding(duration: duration, doublingTo: ceiling, atMost: most)
  }

  /// Checks a statement that acts once; nil for directives. `checked` is nil when an error was reported or a
  /// device is missing.
  private mutating func act(_ statement: SyntaxStatement) -> (checked: Act?, isAct: Bool)? {
    switch statement.kind {
    case .fix(let target, let accuracy, let timeout):
      let metres = quantity(.quantity(accuracy), for: .length, what: "the accuracy")
      let limit = positiveTime(timeout, what: "the timeout")
      guard let (device, manifest) = devices(target, for: .fix, statement)?.first, let manifest, let metres,
        let limit
      else { return (nil, true) }
      warnAboutShortTimeout(manifest, metres.value, limit, timeout.span)
      return (.fix(target: device, accuracy: metres.value, timeout: limit), true)
    case .flush(let target):
      let targets = devices(target, for: .flush, statement)?.filter { $0.1 != nil }.map(\.0) ?? []
      return (targets.isEmpty ? nil : .flush(targets: targets.sorted()), true)
    case .emit(let event): return (.emit(event.text), true)
    case .tell(let client, let text): return (.tell(client: ClientID(client.text), text: text.text), true)
    case .launch(let client): return (.launch(ClientID(client.text)), true)
    default: return nil
    }
  }
}
