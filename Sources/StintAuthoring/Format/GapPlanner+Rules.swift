import StintLanguage

extension GapPlanner {
  mutating func plan(_ rule: RuleItem, indent: Int = 0) {
    for name in rule.overrides { join(name.span) }
    // The trigger of a rule with a note is on a separate line.
    if rule.note != nil {
      let head = max(rule.note?.span.end ?? 0, rule.overrides.last?.span.end ?? 0)
      let place = range(SourceSpan(start: rule.span.start, end: head)).upperBound
      if tokens.indices.contains(place) { gaps[place] = .line(indent: indent, .never) }
    }
    plan(rule.trigger)
    for (index, statement) in rule.body.enumerated() {
      set(.line(indent: indent + 2, index == 0 ? .never : .kept), at: statement.span.start)
      plan(statement)
    }
    close(rule.span, indent: indent)
  }

  private mutating func plan(_ trigger: SyntaxTrigger) {
    switch trigger {
    case .always: break
    case .whilst(let condition): plan(condition)
    case .when(let condition, let atMost):
      plan(condition)
      if let atMost { plan(atMost) }
    case .every(let period, let flex, let condition):
      plan(period)
      if let flex { plan(flex) }
      if let condition { plan(condition) }
    }
  }

  /// Plans the gap before the brace that ends a block.
  mutating func close(_ span: SourceSpan, indent: Int) {
    guard let last = range(span).last, tokens[last].isSymbol(.closeBrace) else { return }
    gaps[last] = .closing(indent: indent)
  }

  mutating func plan(_ statement: SyntaxStatement) {
    switch statement.kind {
    case .start(_, _, let settings): plan(settings)
    case .downgrade(_, .value(let value)): plan(value)
    case .downgrade(_, .settings(let settings)): plan(settings)
    case .batch(_, let bounds):
      for bound in bounds { plan(bound) }
    case .defer(_, let until, let deadline):
      if let until { plan(until) }
      if let deadline { plan(deadline) }
    case .fix(_, let accuracy, let timeout):
      plan(accuracy)
      plan(timeout)
    case .stop, .pause, .watch, .flush, .emit, .tell, .launch: break
    }
    guard let ending = statement.ending else { return }
    plan(ending.duration)
    if let ceiling = ending.doublingTo { plan(ceiling) }
  }
}
