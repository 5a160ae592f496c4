package import StintGovernor
package import StintLanguage
import StintMachine
package import StintModel
package import StintUnits

extension Governor {
  /// Returns the instant at which the last rule that limits a demand ends, if no fact changes until then.
  ///
  /// The end of a rule is the earliest of three instants. The first is the end of its directive (`for`). The
  /// second is the deadline of its deferral. At the third, time alone makes its condition false, by a
  /// schedule, `for` or `in last`. The result assumes that each fact keeps its value, and is published again
  /// before it becomes stale.
  ///
  /// - Parameters:
  ///   - demand: an active demand.
  ///   - grant: its present grant.
  ///   - policies: the policies in force.
  /// - Returns: nil when no rule limits the demand, or when the end of one of the rules depends on a fact.
  package func limitEnd(of demand: Demand, _ grant: Grant, policies: [CheckedPolicy]) -> Instant? {
    guard !grant.rules.isEmpty, let status = status(of: demand.target) else { return nil }
    let raised = status.demands.first { $0.demand.id == demand.id }?.raised ?? now
    var latest: Instant?
    for entry in status.directives where entry.limits(demand) && grant.rules.contains(entry.directive.rule) {
      guard let end = end(of: entry, demand, raised: raised, policies) else { return nil }
      latest = max(latest ?? end, end)
    }
    return latest
  }

  /// Returns the instant at which a directive stops limiting a demand; nil when this instant depends on a
  /// fact.
  private func end(
    of entry: DeviceStatus.DirectiveEntry, _ demand: Demand, raised: Instant, _ policies: [CheckedPolicy]
  ) -> Instant? {
    var ends = [end(of: entry.directive), conditionEnd(of: entry, policies)].compactMap(\.self)
    if case .postpone(let deadline) = entry.directive.action {
      ends += [deadline, demand.wants.transfer?.deadline].compactMap { $0.map { raised + $0 } }
    }
    return ends.min()
  }

  /// Returns the instant at which time alone makes the condition of the rule false. Nil when only facts can
  /// make the condition false, or when the rule is not a `while` rule.
  private func conditionEnd(
    of entry: DeviceStatus.DirectiveEntry, _ policies: [CheckedPolicy]
  ) -> Instant? {
    let id = entry.directive.rule
    guard let policy = policies.first(where: { $0.name == id.policy }),
      let rule = policy.rules.first(where: { $0.id == id }), case .whilst(let condition) = rule.trigger
    else { return nil }
    // New values of facts keep arriving, so the age of a fact ends no rule.
    let ages = FactCandidates([condition], vocabulary: vocabulary).ages
    let situation = Situation(self, policy, id, asking: entry.demand?.id)
    let forecast = ConditionForecast(situation, arriving: Set(ages.keys)).forecast(condition)
    return forecast.stretches.first { $0.truth != .yes }?.from
  }
}

extension DeviceStatus.DirectiveEntry {
  /// Returns whether the directive is in force for this demand.
  fileprivate func limits(_ demand: Demand) -> Bool {
    isInForce && !isOverridden && (self.demand?.id ?? demand.id) == demand.id
      && !exceptions.contains { $0.id == demand.id }
  }
}
