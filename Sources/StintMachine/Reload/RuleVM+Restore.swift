import StintUnits

extension RuleVM {
  /// Restores the state that a VM of another process saved, for all expressions that both VMs have. The
  /// numbers in an expression may differ.
  ///
  /// Call this before the first `propagate` and after all facts are set. Directives that were in force are
  /// not reported again.
  public mutating func restore(_ memory: RuleVMSnapshot) {
    let slotsByKey = Dictionary(memory.slots.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    let own = Set(image.slots.map(\.key))
    var tuned = TunedSlots(
      memory.slots.enumerated().filter { !own.contains($1.key) }.map { (place: $0, key: $1.key) })
    for (number, entry) in image.slots.enumerated() {
      guard
        let slot = slotsByKey[entry.key] ?? tuned.removeSlot(matching: entry.key).map({ memory.slots[$0] })
      else { continue }
      slots[number].isClosed = slot.isClosed
      slots[number].since = slot.since
      slots[number].gap = slot.gap
      if case .window(_, _, _, let capacity) = entry.kind {
        slots[number].window = SampleWindow(capacity: capacity)
        for (instant, value) in zip(slot.instants, slot.values) {
          slots[number].window.append(value, at: instant)
        }
      }
    }
    let rulesByID = Dictionary(memory.rules.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for (number, entry) in image.rules.enumerated() where !plan.ruleTerms[number].isInert {
      guard let rule = rulesByID[entry.id], rule.runs.count == entry.directives.count,
        Structure.shape(of: rule.structure) == Structure.shape(of: entry.structure)
      else { continue }
      if rule.structure != entry.structure, plan.ruleTerms[number].trigger == .rise { unmoved.insert(number) }
      rules[number].truth = rule.truth
      rules[number].isActive = rule.isActive
      rules[number].isAnnounced = rule.isActive
      rules[number].lastFired = rule.lastFired
      if plan.ruleTerms[number].trigger == .period, let next = rule.nextPeriod {
        // A new period may be shorter. So limit the present period: it ends no later than one new period
        // from now.
        setPeriod(number, to: min(next, now + TimeSpan(nanoseconds: plan.ruleTerms[number].span)))
      }
      for (directive, run) in zip(entry.directives, rule.runs) { restore(run, directive) }
      guard plan.index.isIndexed[number] else { continue }
      indexedRules.restore(number, isActive: rule.isActive, isAnnounced: rule.isActive)
    }
  }

  private mutating func restore(_ run: RuleVMSnapshot.Run, _ directive: Int) {
    runs[directive].isInForce = run.isInForce
    runs[directive].isAnnounced = run.isInForce
    runs[directive].count = run.count
    runs[directive].lastEnd = run.lastEnd
    guard let end = run.end else { return }
    runs[directive].end = end
    setTimer(plan.timers.run[directive], to: end)
  }
}
