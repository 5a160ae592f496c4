public import StintUnits

extension RuleVM {
  /// The next instant at which something may change although no fact does; nil when nothing would.
  public var nextTimer: Instant? {
    let earliest = min(timers.earliest, ages.earliest)
    return earliest == TimerTree.never ? nil : Instant(nanoseconds: earliest)
  }

  /// The same in place: who holds a machine in an optional would copy it to read it.
  public mutating func timer() -> Instant? { nextTimer }

  /// Whether the directive is in force.
  public func isInForce(directive: Int) -> Bool { runs[directive].isInForce }

  /// Whether the rule holds: its condition is true, or one of its edge directives is in force.
  public func isHeld(rule: Int) -> Bool {
    plan.index.isIndexed[rule] ? indexedRules.isHeld(rule) : rules[rule].isHeld
  }

  /// The first rule from `rule` on that the index answers for and that holds, told or not; nil when none does.
  public func firstHeld(from rule: Int) -> Int? { indexedRules.firstHeld(from: rule) }

  /// What the rule's condition was when last looked at.
  public func truth(of rule: Int) -> Truth {
    guard plan.index.isIndexed[rule] else { return rules[rule].truth }
    if indexedRules.isHeld(rule) { return .yes }
    // What is not true is no or unknown; nothing but a reader asks which.
    var asked = self
    return Truth(asked.evaluate(plan.ruleTerms[rule].code))
  }

  /// When the directive ends by itself; nil when it does not, or is not in force.
  public func end(of directive: Int) -> Instant? {
    runs[directive].isInForce && runs[directive].end != .distantFuture ? runs[directive].end : nil
  }

  /// Since when the operand of a `for` has been true, or when the operand of an `in last` was true last.
  public func since(slot: Int) -> Instant? { slots[slot].since }

  /// Whether a latch is closed.
  public func isClosed(slot: Int) -> Bool { slots[slot].isClosed }

  /// The statistic of a window as it was when last looked at; nil where it is unknown or the slot is no window.
  public func statistic(slot: Int) -> Double? {
    guard case .window(let function, _, let span, _) = image.slots[slot].kind else { return nil }
    let value = slots[slot].window.statistic(function, over: span)
    return value.isFinite ? value : nil
  }
}
