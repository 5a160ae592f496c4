import StintModel

/// Asks of rules whether they can hold for good.
struct DeadEndSearch {
  private let vocabulary: Vocabulary
  private let schedules: [String: [CheckedSchedule]]
  /// By rule: those that put it aside, with the policy they belong to.
  private var overriders: [RuleID: [(rule: CheckedRule, policy: String)]] = [:]

  init(_ policies: [CheckedPolicy], vocabulary: Vocabulary) {
    self.vocabulary = vocabulary
    schedules = Dictionary(
      policies.map { ($0.name, $0.schedules) }, uniquingKeysWith: { first, _ in first })
    for policy in policies {
      for rule in policy.rules where !rule.isInert {
        for loser in rule.overrides { overriders[loser, default: []].append((rule, policy.name)) }
      }
    }
  }

  // MARK: Rules

  /// The dead ends of one rule by itself: one for each directive that has one.
  mutating func deadEnds(of off: SwitchOffRule) -> [DeadEnd] {
    // Without another rule that may put this one aside somewhere, all its targets fare alike.
    let isShared = overriders[off.rule.id] == nil
    let common = isShared ? permanentValues([off], on: nil) : nil
    if isShared && common == nil { return [] }
    return off.directives.compactMap { directive in
      let targets = directive.directive.targets
      if let common { return DeadEndMessage(vocabulary).single(off, directive, stuck: targets, common) }
      let ends = targets.compactMap { target in permanentValues([off], on: target).map { (target, $0) } }
      guard let readings = ends.first?.1 else { return nil }
      return DeadEndMessage(vocabulary).single(off, directive, stuck: ends.map(\.0), readings)
    }
  }

  /// The dead end of rules that keep each other in force.
  mutating func deadEnd(of offs: [SwitchOffRule]) -> DeadEnd? {
    guard let readings = permanentValues(offs, on: nil) else { return nil }
    return DeadEndMessage(vocabulary).circle(offs, readings)
  }

  /// Values with which all of the rules hold for good; nil where something can end one of them.
  private func permanentValues(_ offs: [SwitchOffRule], on target: DeviceID?) -> [Witness.Reading]? {
    let devices = offs.reduce(into: Set<DeviceID>()) { $0.formUnion($1.targets) }
    if offs.contains(where: { $0.ends.remain(without: devices) }) { return nil }
    var conditions: [(CheckedExpression, policy: String)] = offs.compactMap { off in
      off.rule.trigger.condition.map { ($0, off.policy.name) }
    }
    let others = offs.flatMap { winners(over: $0, on: target) }
    let exits = others.compactMap { other in other.rule.trigger.condition.map { ($0, policy: other.policy) } }
    // A winner that always holds, or acts again and again, is a way back by itself.
    if exits.count < others.count { return nil }
    let count = conditions.count
    conditions += exits
    let silence = OffDeviceFacts(vocabulary: vocabulary, devices: devices)
    var world = OffDeviceConditions(
      conditions, silence: silence, schedules: schedules, vocabulary: vocabulary)
    let parts = world.formulas.enumerated().map { number, formula in
      number < count ? Formula.certain(formula) : Formula.not(.certain(formula))
    }
    let readings = world.search(parts.isEmpty ? .constant(.yes) : .and(parts))
    // A rule that depends only on a client's own request ends with that request.
    if let readings, !readings.isEmpty, readings.allSatisfy({ silence.isOfClient($0.path) }) { return nil }
    return readings
  }

  /// The rules that put this one aside on a device.
  private func winners(over off: SwitchOffRule, on target: DeviceID?) -> [(rule: CheckedRule, policy: String)]
  {
    (overriders[off.rule.id] ?? []).filter { winner in
      winner.rule.directives.contains { directive in
        directive.directive.targets.contains { target == nil ? off.targets.contains($0) : $0 == target }
      }
    }
  }

  // MARK: Defers

  /// A defer whose `until` nothing can make true while the device waits; only the deadline ends it.
  mutating func unreachableUntil(_ directive: CheckedDirective, of rule: CheckedRule, _ policy: CheckedPolicy)
    -> DeadEnd?
  {
    guard case .postpone = directive.directive.action, let until = directive.until else { return nil }
    let silence = OffDeviceFacts(vocabulary: vocabulary, devices: Set(directive.directive.targets))
    var world = OffDeviceConditions(
      [(until, policy: policy.name)], silence: silence, schedules: schedules, vocabulary: vocabulary)
    guard !world.canHold() else { return nil }
    return DeadEndMessage(vocabulary).unreachableUntil(directive, until, rule, policy)
  }
}
