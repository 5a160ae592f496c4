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
      guard match.isSameTrigger[number] else {
        if ruleTerms[number].isInert { continue }
        // What its directives do goes on; what its condition was is of no matter to another one.
        rules[number].isHeld = old.rules[before].isHeld
        rules[number].isAnnounced = old.rules[before].isAnnounced
        continue
      }
      rules[number] = old.rules[before]
      if rules[number].nextPeriod != .distantFuture { setPeriod(number, to: rules[number].nextPeriod) }
    }
    for (number, before) in match.directives.enumerated() where before >= 0 {
      if ruleTerms[directiveTerms[number].rule].isInert { continue }
      runs[number] = old.runs[before]
      guard runs[number].end != .distantFuture else { continue }
      timers.set(runTimer(number), to: runs[number].end.nanoseconds)
    }
  }
}
