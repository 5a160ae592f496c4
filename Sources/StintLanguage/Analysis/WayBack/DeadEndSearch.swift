import StintModel

/// Tests whether rules can stay in force permanently.
struct DeadEndSearch {
  private let vocabulary: Vocabulary
  private let schedules: [String: [CheckedSchedule]]
  /// For the id of each overridden rule: the rules that override it, with their policies.
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

  /// Returns the dead ends of a single rule, at most one for each directive.
  mutating func deadEnds(of off: SwitchOffRule) -> [DeadEnd] {
    // When no other rule can override this rule, the result is equal for all its targets.
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

  /// Returns the dead end of rules that keep each other in force; nil when `permanentValues` returns nil.
  mutating func deadEnd(of offs: [SwitchOffRule]) -> DeadEnd? {
    guard let readings = permanentValues(offs, on: nil) else { return nil }
    return DeadEndMessage(vocabulary).circle(offs, readings)
  }

  /// Returns values with which all of the rules stay in force permanently. Nil when at least one rule can
  /// end, is overridden again and again, or ends with a client's request. Also nil when the search finds no
  /// such values.
  private func permanentValues(_ offs: [SwitchOffRule], on target: DeviceID?) -> [Witness.Reading]? {
    let devices = offs.reduce(into: Set<DeviceID>()) { $0.formUnion($1.targets) }
    if offs.contains(where: { $0.ends.remain(without: devices) }) { return nil }
    var conditions: [(CheckedExpression, policy: String)] = offs.compactMap { off in
      off.rule.trigger.condition.map { ($0, off.policy.name) }
    }
    let others = offs.flatMap { winners(over: $0, on: target) }
    let exits = others.compactMap { other in other.rule.trigger.condition.map { ($0, policy: other.policy) } }
    // An overriding rule without a condition (`always` or `every`) is in force again and again, so there is
    // no dead end.
    if exits.count < others.count { return nil }
    let count = conditions.count
    conditions = (conditions + exits).map { ($0.0.assumingDemands(on: devices), policy: $0.policy) }
    let offFacts = OffDeviceFacts(vocabulary: vocabulary, devices: devices)
    var world = OffDeviceConditions(
      conditions, offFacts: offFacts, schedules: schedules, vocabulary: vocabulary)
    let parts = world.formulas.enumerated().map { number, formula in
      number < count ? Formula.certain(formula) : Formula.not(.certain(formula))
    }
    let readings = world.search(parts.isEmpty ? .constant(.yes) : .and(parts))
    // A rule that reads only facts of a client's request ends together with that request.
    if let readings, !readings.isEmpty, readings.allSatisfy({ offFacts.isOfClient($0.path) }) { return nil }
    return readings
  }

  /// Returns the rules that override this rule on a device.
  private func winners(over off: SwitchOffRule, on target: DeviceID?) -> [(rule: CheckedRule, policy: String)]
  {
    (overriders[off.rule.id] ?? []).filter { winner in
      winner.rule.directives.contains { directive in
        directive.directive.targets.contains { target == nil ? off.targets.contains($0) : $0 == target }
      }
    }
  }

  // MARK: Defers

  /// Returns the dead end of a defer whose `until` cannot become true while the device waits.
  ///
  /// Such a defer ends only at its deadline. Nil when the `until` can become true.
  mutating func unreachableUntil(_ directive: CheckedDirective, of rule: CheckedRule, _ policy: CheckedPolicy)
    -> DeadEnd?
  {
    guard case .postpone = directive.directive.action, let until = directive.until else { return nil }
    let devices = Set(directive.directive.targets)
    var world = OffDeviceConditions(
      [(until.assumingDemands(on: devices), policy: policy.name)],
      offFacts: OffDeviceFacts(vocabulary: vocabulary, devices: devices), schedules: schedules,
      vocabulary: vocabulary)
    guard !world.canHold() else { return nil }
    return DeadEndMessage(vocabulary).unreachableUntil(directive, until, rule, policy)
  }
}
