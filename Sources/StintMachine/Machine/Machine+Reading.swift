public import StintUnits

extension Machine {
  /// The next instant at which something may change although no fact does; nil when nothing would.
  public var nextTimer: Instant? {
    timers.earliest == TimerTree.never ? nil : Instant(nanoseconds: timers.earliest)
  }

  /// Whether the directive is in force.
  public func isInForce(directive: Int) -> Bool { runs[directive].isInForce }

  /// Whether the rule holds: its condition is true, or one of its edge directives is in force.
  public func isHeld(rule: Int) -> Bool { rules[rule].isHeld }

  /// What the rule's condition was when last looked at.
  public func truth(of rule: Int) -> Truth { rules[rule].truth }

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
