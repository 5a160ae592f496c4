import StintModel

/// Finds starts that a stop or pause of another rule overrides.
///
/// A start that is always overridden gives a warning. A start that is overridden only for some values of
/// facts gives a note.
struct OverriddenStarts {
  var ruleTable: RuleTable

  mutating func findings() -> [Finding] {
    var found: [Finding] = []
    for (number, rule) in ruleTable.rules.enumerated() where !ruleTable.samples[number].isEmpty {
      for directive in rule.directives {
        let demand: (client: ClientID?, wants: DemandSettings)
        switch directive.directive.action {
        case .start(let client, let wants): demand = (client, wants)
        // The probes of a watched zone are demands of the policy.
        case .locate: demand = (nil, DemandSettings(background: true))
        default: continue
        }
        let start = Start(
          number: number, rule: rule, directive: directive,
          client: demand.client ?? ClientID(rule.id.policy), wants: demand.wants)
        for target in directive.directive.targets {
          if let finding = finding(start, on: target) { found.append(finding) }
        }
      }
    }
    return found
  }

  private struct Start {
    var number: Int
    var rule: CheckedRule
    var directive: CheckedDirective
    var client: ClientID
    var wants: DemandSettings
  }

  private mutating func finding(_ start: Start, on device: DeviceID) -> Finding? {
    let claims = [ruleTable.inForce(start.number), .demanded(device, by: start.rule)]
    var sometimes: (winner: CheckedRule, by: CheckedDirective, witness: Witness)?
    for number in ruleTable.reaching(device) {
      let winner = ruleTable.rules[number]
      // A per-demand rule is skipped: its client is known only for a demand that exists.
      guard !winner.isPerDemand, winner.id != start.rule.id, !start.rule.overrides.contains(winner.id),
        let directive = winner.directives.first(where: { overrides($0.directive, start, on: device) })
      else { continue }
      if ruleTable.limits(number, on: device, whenever: start.number, isDemanded: true) {
        // A start that can never happen is reported by another analysis.
        guard let witness = ruleTable.solver.solve(claims + ruleTable.limits(number, on: device)).witness
        else {
          continue
        }
        return message(start, device, winner, directive, witness, isAlways: true)
      }
      if sometimes == nil,
        let witness = ruleTable.solver.solve(claims + ruleTable.limits(number, on: device)).witness
      {
        sometimes = (winner, directive, witness)
      }
    }
    guard let sometimes else { return nil }
    return message(
      start, device, sometimes.winner, sometimes.by, sometimes.witness, isAlways: false)
  }

  private func overrides(_ directive: Directive, _ start: Start, on device: DeviceID) -> Bool {
    guard directive.targets.contains(device), !directive.exceptions.contains(start.client) else {
      return false
    }
    switch directive.action {
    case .stop: return true
    case .pause: return ruleTable.pauses(start.wants, on: device)
    case .start, .locate, .serve, .stopService, .resume, .limitAccuracy, .slow, .limitAttributes, .batch,
      .postpone:
      return false
    }
  }

  private func message(
    _ start: Start, _ device: DeviceID, _ winner: CheckedRule, _ directive: CheckedDirective,
    _ witness: Witness, isAlways: Bool
  ) -> Finding {
    var verb = "stops"
    if case .pause = directive.directive.action { verb = "pauses" }
    let isHere = ruleTable.file(of: winner) == ruleTable.file(of: start.rule)
    let name = isHere ? winner.id.rule : winner.id.description
    var labels = [Diagnostic.Label(span: start.directive.span, text: "started here")]
    if isHere {
      labels.append(
        Diagnostic.Label(span: directive.span, text: "and \(verb == "stops" ? "stopped" : "paused") here"))
    }
    let facts = witness.text(ruleTable.vocabulary)
    let both = facts.isEmpty ? "both are always active" : "with \(facts) both are active"
    let title =
      isAlways
      ? "“\(start.rule.id.rule)” never starts \(device): whenever it is active, “\(name)” \(verb) the device"
      : "“\(name)” \(verb) \(device) although “\(start.rule.id.rule)” starts it"
    return Finding(
      Diagnostic(
        isAlways ? .overruled : .overruledAtTimes, title, severity: isAlways ? .warning : .note,
        file: ruleTable.file(of: start.rule), labels: labels,
        hint: winner.isBudget
          ? "\(both); no rule can override a budget"
          : "\(both); to have the start win, write: rule \(start.rule.id.rule) over \(name)"),
      witness: witness)
  }
}
