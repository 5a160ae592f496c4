import StintModel
import StintUnits

/// Checks values of a policy against `PolicyLimits` and reports them at their position.
extension PolicyChecker {
  // MARK: Time

  /// Returns the span; nil, with a report, when a timer cannot wait for it.
  mutating func timed(_ span: TimeSpan?, _ place: SourceSpan, what: String) -> TimeSpan? {
    if let span, PolicyLimits.allows(span) { return span }
    report(
      .outOfRange, "\(what) must be at least 1 ms and at most 73 years", place,
      hint: span.map { $0 < PolicyLimits.minSpan } ?? false
        ? "a rule may wake the processor at most once per millisecond" : nil)
    return nil
  }

  /// Returns a quantity of time, which may be 0; nil, with a report, when a timer cannot wait for it.
  mutating func wait(_ quantity: Quantity, _ place: SourceSpan, what: String) -> TimeSpan? {
    quantity.value == 0 ? .zero : timed(quantity.timeSpan, place, what: what)
  }

  /// Returns the period of a rate; nil, with a report, when it is out of range.
  mutating func period(of rate: Quantity, _ place: SourceSpan, what: String) -> TimeSpan? {
    if let period = rate.period, period > .zero, period <= PolicyLimits.maxSpan { return period }
    report(
      .outOfRange, "\(what) must be at least once in 73 years and at most once per nanosecond", place)
    return nil
  }

  // MARK: One condition

  /// Returns the expression; nil, with a report, when it is too large for an image.
  ///
  /// Each use of a `let` is replaced by its whole value. If there were no limit, a few lets, each of which
  /// uses the previous `let` twice, would need more memory than any computer has.
  mutating func measured(_ checked: CheckedExpression, _ span: SourceSpan) -> CheckedExpression? {
    guard isWithinSizeLimit(checked) else {
      report(
        .tooLarge,
        "with its lets expanded, this expression has more than \(PolicyLimits.maxExpressionNodes) nodes or "
          + "\(PolicyLimits.maxNesting) levels", span,
        hint: "use fewer lets in the definitions of other lets")
      return nil
    }
    guard checked.stackDepth > PolicyLimits.maxStackDepth else { return checked }
    report(
      .tooDeep,
      "with its lets expanded, this expression needs more than \(PolicyLimits.maxStackDepth) stack entries",
      span,
      hint: "write the longer part of an “and”, an “or” or a sum first")
    return nil
  }

  func isWithinSizeLimit(_ checked: CheckedExpression) -> Bool {
    checked.fits(nodes: PolicyLimits.maxExpressionNodes, levels: PolicyLimits.maxNesting)
  }
}
