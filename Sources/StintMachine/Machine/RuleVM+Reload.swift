public import StintUnits

extension RuleVM {
  /// Copies the state of another VM for all rules, slots and directives that `match` pairs. Directives that
  /// stay in force are not reported again. A rule does not act merely because numbers in its trigger changed.
  ///
  /// Call this before the first `propagate` and after all facts are set.
  public mutating func migrateState(_ old: RuleVM, _ match: ImageMatch) {
    for (number, before) in match.slots.enumerated() where before >= 0 {
      var window = slots[number].window
      window.adopt(old.slots[before].window)
      slots[number] = old.slots[before]
      slots[number].window = window
    }
    for (number, before) in match.rules.enumerated() where before >= 0 {
      if match.isSameTrigger[number] || match.isTunedTrigger[number] {
        rules[number] = old.rules[before]
        if match.isTunedTrigger[number] { tune(number, after: old, before) }
        if rules[number].nextPeriod != .distantFuture { setPeriod(number, to: rules[number].nextPeriod) }
      } else if plan.ruleTerms[number].isInert {
        continue
      }
      // This state is kept even when the trigger has changed, because the directives of the rule stay in
      // force.
      rules[number].isActive = old.isActive(rule: before)
      rules[number].isAnnounced = old.rules[before].isAnnounced
      guard plan.index.isIndexed[number] else { continue }
      indexedRules.restore(number, isActive: rules[number].isActive, isAnnounced: rules[number].isAnnounced)
      // The rule may have a new directive to report although its own state is unchanged.
      changed.insert(number)
    }
    for (number, before) in match.directives.enumerated() where before >= 0 {
      if plan.ruleTerms[plan.directiveTerms[number].rule].isInert { continue }
      runs[number] = old.runs[before]
      if runs[number].isInForce { tune(run: number, after: old, before) }
      guard runs[number].end != .distantFuture else { continue }
      setTimer(plan.timers.run[number], to: runs[number].end)
    }
  }

  /// Adapts the state of a rule whose trigger differs from the former trigger only in its numbers. A
  /// condition that becomes true because of the new numbers does not make the rule act.
  private mutating func tune(_ number: Int, after old: RuleVM, _ before: Int) {
    let terms = plan.ruleTerms[number]
    if terms.trigger == .rise { unmoved.insert(number) }
    guard terms.trigger == .period else { return }
    let former = TimeSpan(nanoseconds: old.plan.ruleTerms[before].span)
    rules[number].nextPeriod = Self.periodEnd(
      rules[number].nextPeriod, of: former, with: TimeSpan(nanoseconds: terms.span), at: now)
  }

  /// Returns the end of the present period after a reload that changes the period of a rule.
  ///
  /// The new period counts from the beginning of the present period. A shorter period that has already passed
  /// does not make the rule act at the reload: the rule then acts at the end of the former period or of a
  /// later new period, whichever is first. A rule that is already due stays due.
  public static func periodEnd(
    _ end: Instant, of former: TimeSpan, with period: TimeSpan, at now: Instant
  ) -> Instant {
    guard end > now, period != former, period > .zero else { return end }
    let began = end - former
    guard period < former else { return began + period }
    let passed = max(0, (now - began).nanoseconds / period.nanoseconds)
    return min(end, began + TimeSpan(nanoseconds: passed * period.nanoseconds) + period)
  }

  /// Sets the end of a run in force to the beginning of the run plus the new duration. The new end is not
  /// before now.
  private mutating func tune(run number: Int, after old: RuleVM, _ before: Int) {
    guard let former = old.length(of: before), let length = length(of: number), former != length else {
      return
    }
    let end = runs[number].end
    let began = end == .distantFuture ? now : end - former
    runs[number].end = max(now, began + length)
  }

  /// Returns the duration of the current run of a directive; nil for a directive of a `while` or `always`
  /// rule.
  private func length(of number: Int) -> TimeSpan? {
    let terms = plan.directiveTerms[number]
    let doublings = Int64(min(max(runs[number].count - 1, 0), 40))
    return terms.duration?.times(1 << doublings, capped: terms.ceiling)
  }
}
