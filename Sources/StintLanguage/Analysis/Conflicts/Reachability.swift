import StintModel

/// Finds rules whose condition is never true or always true, and rules that are always overridden.
enum Reachability {
  static func findings(_ ruleTable: RuleTable) -> [Finding] {
    // Rules with a missing device are skipped: on hardware with that device they may be active.
    ruleTable.rules.indices.filter { !ruleTable.rules[$0].lacksDevice }.compactMap { number in
      unreachable(number, ruleTable) ?? alwaysOverridden(number, ruleTable) ?? constant(number, ruleTable)
    }
  }

  private static func unreachable(_ number: Int, _ ruleTable: RuleTable) -> Finding? {
    let rule = ruleTable.rules[number]
    guard ruleTable.samples[number].isEmpty, let condition = rule.trigger.condition else { return nil }
    func excludes(_ parts: [CheckedExpression]) -> Bool {
      ruleTable.solver.excludes(parts.map { Claim(condition: $0, policy: rule.id.policy, mode: .holds) })
    }
    guard excludes([condition]) else { return nil }
    return Finding(
      Diagnostic(
        .unreachable, "“\(rule.id.rule)” is never active: its condition cannot be true", severity: .warning,
        file: ruleTable.file(of: rule), labels: labels(condition, excludes),
        hint:
          "no values of its facts make it true; look for a limit outside a fact's range, or for two limits "
          + "that exclude each other"))
  }

  /// Returns labels for the part that cannot be true, or for the two parts that exclude each other.
  private static func labels(
    _ condition: CheckedExpression, _ excludes: ([CheckedExpression]) -> Bool
  ) -> [Diagnostic.Label] {
    guard case .and(let parts) = condition.kind, parts.count <= 12 else {
      return [Diagnostic.Label(span: condition.span, text: "never true")]
    }
    if let part = parts.first(where: { excludes([$0]) }) {
      return [Diagnostic.Label(span: part.span, text: "never true")]
    }
    for (number, part) in parts.enumerated() {
      for other in parts[(number + 1)...] where excludes([part, other]) {
        return [
          Diagnostic.Label(span: part.span, text: "never true together"),
          Diagnostic.Label(span: other.span, text: "with this"),
        ]
      }
    }
    return [Diagnostic.Label(span: condition.span, text: "never true")]
  }

  /// Returns a finding for a rule that never takes effect: whenever the rule is active, other rules override
  /// it on all its devices.
  private static func alwaysOverridden(_ number: Int, _ ruleTable: RuleTable) -> Finding? {
    let rule = ruleTable.rules[number]
    guard ruleTable.hasOverriders(number), ruleTable.isLevel[number], !rule.directives.isEmpty,
      rule.directives.allSatisfy(\.directive.limits)
    else { return nil }
    let winners = rule.targets.map { target in
      ruleTable.overriders(of: number, on: target).first { other in
        ruleTable.isLevel[other]
          && ruleTable.solver.excludes([ruleTable.inForce(number), ruleTable.notInForce(other)])
      }
    }
    guard winners.allSatisfy({ $0 != nil }),
      let winner = winners.first.flatMap({ $0 }).map({ ruleTable.rules[$0] })
    else { return nil }
    return Finding(
      Diagnostic(
        .unreachable,
        "“\(rule.id.rule)” never takes effect: “\(winner.id.rule)” always overrides it",
        severity: .warning, file: ruleTable.file(of: rule),
        labels: [Diagnostic.Label(span: rule.span, text: "overridden whenever it is active")],
        hint: "narrow the condition of “\(winner.id.rule)”, or remove this rule"),
      witness: ruleTable.answer(number).witness)
  }

  private static func constant(_ number: Int, _ ruleTable: RuleTable) -> Finding? {
    let rule = ruleTable.rules[number]
    var claim = ruleTable.inForce(number)
    claim.mode = .fails
    if ruleTable.needsFacts(number) { return nil }
    guard let condition = rule.trigger.condition, ruleTable.solver.excludes([claim]) else { return nil }
    let hint: String
    switch rule.trigger {
    case .whilst: hint = "write: rule \(rule.id.rule) always { … }"
    case .when: hint = "it becomes true once, when the policy is loaded, and never again"
    case .every, .always: hint = "remove the “if”"
    }
    return Finding(
      Diagnostic(
        .alwaysTrue, "the condition of “\(rule.id.rule)” is always true", severity: .warning,
        file: ruleTable.file(of: rule), labels: [Diagnostic.Label(span: condition.span, text: "always true")],
        hint: hint))
  }
}

extension Directive {
  /// True when the directive limits demands; false when it starts a device, a service or transfers.
  var limits: Bool {
    switch action {
    case .start, .locate, .serve, .resume: false
    case .stop, .pause, .limitAccuracy, .slow, .limitAttributes, .batch, .postpone, .stopService: true
    }
  }
}
