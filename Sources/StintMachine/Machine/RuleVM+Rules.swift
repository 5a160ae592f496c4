import StintUnits

extension RuleVM {
  /// Evaluates the conditions of a rule, and starts and ends its directives.
  mutating func evaluateRule(at number: Int) {
    let terms = plan.ruleTerms[number]
    wake = .distantFuture
    let before = rules[number].truth
    let truth = terms.code.isEmpty ? Truth.yes : Truth(evaluate(terms.code))
    rules[number].truth = truth
    for directive in terms.directives { endIfExpired(directive) }
    switch terms.trigger {
    case .level:
      for directive in terms.directives {
        // `until` is evaluated even when the rule is false, because its temporal operators have state.
        let isOver = isOver(directive)
        setInForce(directive, truth == .yes && !isOver, of: number)
      }
    case .rise:
      if unmoved.contains(number) {
        unmoved.remove(number)
      } else if truth == .yes, before != .yes, mayFire(number) {
        rules[number].lastFired = now
        fire(number)
      }
      if terms.hasUntil { endEarly(number) }
    case .period:
      if isDue(number), truth == .yes { fire(number) }
      if terms.hasUntil { endEarly(number) }
    }
    let isActive =
      terms.trigger == .level ? truth == .yes : terms.directives.contains { runs[$0].isInForce }
    if rules[number].isActive != isActive {
      rules[number].isActive = isActive
      changed.insert(number)
    }
    setTimer(plan.timers.evaluation[number], to: wake)
  }

  private mutating func setInForce(_ directive: Int, _ isInForce: Bool, of rule: Int) {
    guard runs[directive].isInForce != isInForce else { return }
    runs[directive].isInForce = isInForce
    changed.insert(rule)
  }

  /// Returns whether the directive's `until` is true.
  private mutating func isOver(_ directive: Int) -> Bool {
    let until = plan.directiveTerms[directive].until
    return !until.isEmpty && Truth(evaluate(until)) == .yes
  }

  // MARK: Rules with `when` and `every`

  private func mayFire(_ rule: Int) -> Bool {
    guard let last = rules[rule].lastFired else { return true }
    return last + TimeSpan(nanoseconds: plan.ruleTerms[rule].span) <= now
  }

  /// Returns whether the present period has ended. If so, starts the next period.
  private mutating func isDue(_ rule: Int) -> Bool {
    let due = rules[rule].nextPeriod
    guard due <= now else { return false }
    let period = plan.ruleTerms[rule].span
    let missed = (now - due).nanoseconds / period
    setPeriod(rule, to: due + TimeSpan(nanoseconds: missed * period) + TimeSpan(nanoseconds: period))
    return true
  }

  private mutating func fire(_ rule: Int) {
    fired.insert(rule)
    changed.insert(rule)
    for directive in plan.ruleTerms[rule].directives { start(directive, of: rule) }
  }

  /// Starts a run of a directive. The first run has the first duration. Each later run has twice the previous
  /// duration, up to the ceiling. After a pause of twice the ceiling, the count of activations starts again,
  /// and the next run has the first duration. Does nothing while the directive is in force, when its limit of
  /// activations is reached, or while its `until` is true.
  private mutating func start(_ number: Int, of rule: Int) {
    let terms = plan.directiveTerms[number]
    guard !runs[number].isInForce, let duration = terms.duration else { return }
    if let last = runs[number].lastEnd, last + terms.ceiling + terms.ceiling <= now { runs[number].count = 0 }
    if runs[number].count >= terms.atMost || isOver(number) { return }
    // The limit of 40 avoids an overflow. Forty doublings of one second are more than thirty thousand years.
    let doublings = Int64(min(runs[number].count, 40))
    runs[number].count += 1
    runs[number].end = now + duration.times(1 << doublings, capped: terms.ceiling)
    setTimer(plan.timers.run[number], to: runs[number].end)
    setInForce(number, true, of: rule)
  }

  /// Ends a run whose duration has passed. Called before the rule can start another run.
  private mutating func endIfExpired(_ number: Int) {
    guard runs[number].isInForce, runs[number].end <= now else { return }
    stop(number, at: runs[number].end)
  }

  /// Ends runs whose `until` is true. Every `until` is evaluated each time, because its temporal operators
  /// have state.
  private mutating func endEarly(_ rule: Int) {
    for directive in plan.ruleTerms[rule].directives where isOver(directive) && runs[directive].isInForce {
      stop(directive, at: now)
    }
  }

  private mutating func stop(_ number: Int, at instant: Instant) {
    runs[number].lastEnd = instant
    runs[number].end = .distantFuture
    setTimer(plan.timers.run[number], to: .distantFuture)
    setInForce(number, false, of: plan.directiveTerms[number].rule)
  }
}
