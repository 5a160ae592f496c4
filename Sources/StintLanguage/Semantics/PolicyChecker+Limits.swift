import StintModel
import StintUnits

/// Holds what a policy says to `PolicyLimits`, at the place where it says it.
extension PolicyChecker {
  // MARK: Time

  /// The span, or nil where no timer may wait for it, which is reported.
  mutating func timed(_ span: TimeSpan?, _ place: SourceSpan, what: String) -> TimeSpan? {
    if let span, PolicyLimits.allows(span) { return span }
    report(
      .outOfRange, "\(what) must be at least 1 ms and at most 73 years", place,
      hint: span.map { $0 < PolicyLimits.shortestSpan } ?? false
        ? "a rule has the processor wake once a millisecond at most" : nil)
    return nil
  }

  /// A quantity of time that may be nothing; nil where no timer may wait for it, which is reported.
  mutating func wait(_ quantity: Quantity, _ place: SourceSpan, what: String) -> TimeSpan? {
    quantity.value == 0 ? .zero : timed(quantity.timeSpan, place, what: what)
  }

  /// The time between two samples at a rate; nil where a sensor could not have it, which is reported.
  mutating func period(of rate: Quantity, _ place: SourceSpan, what: String) -> TimeSpan? {
    if let period = rate.period, period > .zero, period <= PolicyLimits.longestSpan { return period }
    report(
      .outOfRange, "\(what) must be more than once in 73 years and at most once in a nanosecond", place)
    return nil
  }

  // MARK: One condition

  /// The expression, or nil when it is larger than an image holds, which is reported: every let stands in full where
  /// its name does, so a few lets that double each other would fill any memory.
  mutating func measured(_ checked: CheckedExpression, _ span: SourceSpan) -> CheckedExpression? {
    guard isMeasurable(checked) else {
      report(
        .tooLarge,
        "with its lets put in, this has more than \(PolicyLimits.maxParts) parts or "
          + "\(PolicyLimits.deepestNesting) levels", span,
        hint: "make its lets of fewer others")
      return nil
    }
    guard checked.stackDepth > PolicyLimits.deepestStack else { return checked }
    report(
      .tooDeep,
      "with its lets put in, this holds more than \(PolicyLimits.deepestStack) values at once", span,
      hint: "write the longer part of an “and”, an “or” or a sum first")
    return nil
  }

  func isMeasurable(_ checked: CheckedExpression) -> Bool {
    checked.fits(nodes: PolicyLimits.maxParts, levels: PolicyLimits.deepestNesting)
  }
}
