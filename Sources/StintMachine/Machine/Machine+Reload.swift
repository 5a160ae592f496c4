import StintUnits

extension Machine {
  /// Takes over the state of everything that is the same in another machine, as the match of their images says.
  /// Directives that stay in force are not announced again.
  ///
  /// Call it before the first `settle`, after the facts have been set.
  public mutating func adopt(_ old: Machine, _ match: ImageMatch) {
    for (number, before) in match.slots.enumerated() where before >= 0 {
      slots[number] = old.slots[before]
    }
    for (number, before) in match.rules.enumerated() where before >= 0 {
      if match.isSameTrigger[number] {
        rules[number] = old.rules[before]
        if rules[number].nextPeriod != .distantFuture { setPeriod(number, to: rules[number].nextPeriod) }
      } else if plan.ruleTerms[number].isInert {
        continue
      }
      // Of another trigger too: what its directives do goes on.
      rules[number].isHeld = old.isHeld(rule: before)
      rules[number].isAnnounced = old.rules[before].isAnnounced
      guard plan.index.isSeated[number] else { continue }
      seats.adopt(number, isHeld: rules[number].isHeld, isAnnounced: rules[number].isAnnounced)
      // A new directive may have to be announced although the rule goes on.
      changed.insert(number)
    }
    for (number, before) in match.directives.enumerated() where before >= 0 {
      if plan.ruleTerms[plan.directiveTerms[number].rule].isInert { continue }
      runs[number] = old.runs[before]
      guard runs[number].end != .distantFuture else { continue }
      setTimer(plan.timers.run[number], to: runs[number].end)
    }
  }
}
