public import StintUnits

extension RuleVM {
  /// The next instant at which a result may change without a new fact; nil when none exists.
  public var nextTimer: Instant? {
    let earliest = min(timers.earliest, ages.earliest)
    return earliest == TimerTree.never ? nil : Instant(nanoseconds: earliest)
  }

  /// Returns `nextTimer`. This function is mutating so that a VM stored in an optional is read in place,
  /// without a copy.
  public mutating func timer() -> Instant? { nextTimer }

  /// Returns the earliest instant from which an `every` rule with `flex` may act: the rule then acts at any
  /// evaluation. Nil without such a rule. Mutating for the same reason as `timer()`.
  public mutating func opportunity() -> Instant? {
    opportunities.earliest == TimerTree.never ? nil : Instant(nanoseconds: opportunities.earliest)
  }

  /// Returns whether a directive is in force.
  public func isInForce(directive: Int) -> Bool { runs[directive].isInForce }

  /// Returns whether a rule is active. A `while` or `always` rule is active while its condition is true; a
  /// `when` or `every` rule is active while one of its directives is in force.
  public func isActive(rule: Int) -> Bool {
    plan.index.isIndexed[rule] ? indexedRules.isActive(rule) : rules[rule].isActive
  }

  /// Returns the first indexed rule at or after `rule` that is active, reported or not; nil when none exists.
  public func firstHeld(from rule: Int) -> Int? { indexedRules.firstHeld(from: rule) }

  /// Returns the result of the rule's condition at its last evaluation.
  public func truth(of rule: Int) -> Truth {
    guard plan.index.isIndexed[rule] else { return rules[rule].truth }
    if indexedRules.isActive(rule) { return .yes }
    // The index does not distinguish false from unknown, so the condition is evaluated on a copy.
    var copy = self
    return Truth(copy.evaluate(plan.ruleTerms[rule].code))
  }

  /// Returns the instant at which a directive expires; nil when it does not expire or is not in force.
  public func end(of directive: Int) -> Instant? {
    runs[directive].isInForce && runs[directive].end != .distantFuture ? runs[directive].end : nil
  }

  /// Returns the instant since which the operand of a `for` is true. For an `in last`, returns the instant at
  /// which its operand was last true. Nil when there is no such instant.
  public func since(slot: Int) -> Instant? { slots[slot].since }

  /// Returns whether a latch (a comparison with a `release`) was true at its last evaluation.
  public func isClosed(slot: Int) -> Bool { slots[slot].isClosed }

  /// Returns the statistic of a window at its last evaluation. Nil when it is unknown or the slot is not a
  /// window.
  public func statistic(slot: Int) -> Double? {
    guard case .window(let function, _, let span, _) = image.slots[slot].kind else { return nil }
    let value = slots[slot].window.statistic(function, over: span)
    return value.isFinite ? value : nil
  }
}
