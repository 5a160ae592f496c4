import StintUnits

extension RuleVM {
  /// Takes over the state of everything that is the same in another machine, as the match of their images says.
  /// Directives that stay in force are not announced again, and no rule acts because a number of it moved.
  ///
  /// Call it before the first `settle`, after the facts have been set.
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
      // Of another trigger too: what its directives do goes on.
      rules[number].isHeld = old.isHeld(rule: before)
      rules[number].isAnnounced = old.rules[before].isAnnounced
      guard plan.index.isIndexed[number] else { continue }
      indexedRules.restore(number, isHeld: rules[number].isHeld, isAnnounced: rules[number].isAnnounced)
      // A new directive may have to be announced although the rule goes on.
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

  /// Goes on with a trigger of other numbers: an edge is one of facts and of time, and a period counts from where
  /// the last one began.
  private mutating func tune(_ number: Int, after old: RuleVM, _ before: Int) {
    let terms = plan.ruleTerms[number]
    if terms.trigger == .rise { unmoved.insert(number) }
    let former = old.plan.ruleTerms[before].span
    guard terms.trigger == .period, terms.span != former else { return }
    let began = rules[number].nextPeriod - TimeSpan(nanoseconds: former)
    let passed = max(0, (now - began).nanoseconds / terms.span)
    rules[number].nextPeriod =
      began + TimeSpan(nanoseconds: passed * terms.span) + TimeSpan(nanoseconds: terms.span)
  }

  /// Gives a run that goes on the end that its new duration has from where it began.
  private mutating func tune(run number: Int, after old: RuleVM, _ before: Int) {
    guard let former = old.length(of: before), let length = length(of: number), former != length else {
      return
    }
    let end = runs[number].end
    let began = end == .distantFuture ? now : end - former
    runs[number].end = max(now, began + length)
  }

  /// How long the present run of an edge rule's directive is.
  private func length(of number: Int) -> TimeSpan? {
    let terms = plan.directiveTerms[number]
    let doublings = Int64(min(max(runs[number].count - 1, 0), 40))
    return terms.duration?.times(1 << doublings, capped: terms.ceiling)
  }
}
