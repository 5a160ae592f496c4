public import StintUnits

extension RuleVM {
  /// Evaluates all rules affected by changes up to `instant`, and returns the changes of their results.
  ///
  /// The changes are in the order of the rules in the image. For each rule, the change of `held` comes first,
  /// then those of its directives, then its one-time actions. The array is empty when nothing changed.
  public mutating func propagate(at instant: Instant) -> [RuleVMChange] {
    evaluate(at: instant)
    guard hasChangesToReport else { return [] }
    var changes: ContiguousArray<RuleVMChange> = []
    collectChanges(into: &changes)
    return Array(changes)
  }

  /// Evaluates the rules as `propagate(at:)` does, but appends the changes to an array. When the array has
  /// enough capacity, this function allocates no memory.
  public mutating func propagate(at instant: Instant, into changes: inout ContiguousArray<RuleVMChange>) {
    evaluate(at: instant)
    if hasChangesToReport { collectChanges(into: &changes) }
  }

  /// Evaluates all rules affected by changes up to `instant` without reporting. The next `propagate` reports
  /// the changes.
  public mutating func evaluate(at instant: Instant) {
    if instant > now { advance(to: instant) }
    while let index = opportunities.removeExpired(at: now.nanoseconds) {
      dirty.insert(Int(plan.timers.flexibleRules[index]))
    }
    if !turned.isEmpty { turnDemands() }
    if isPending { step() }
  }

  /// True when there may be changes to report.
  private var hasChangesToReport: Bool { indexedRules.hasChanges || !changed.isEmpty }

  /// True when a rule must be evaluated or a timer has expired.
  private var isPending: Bool {
    indexedRules.isPending || !dirty.isEmpty || min(timers.earliest, ages.earliest) <= now.nanoseconds
  }

  /// Advances the time. Timers that expire before `instant` run first, each at its own instant.
  mutating func advance(to instant: Instant) {
    if !dirty.isEmpty || indexedRules.isPending { step() }
    while min(timers.earliest, ages.earliest) < instant.nanoseconds {
      now = max(now, Instant(nanoseconds: min(timers.earliest, ages.earliest)))
      step()
    }
    now = instant
  }

  private mutating func turnDemands() {
    var next = 0
    while let place = turned.first(from: next) {
      next = place + 1
      isDemanded[place].toggle()
      for item in plan.demandReaders.range(of: place) { dirty.insert(plan.demandReaders[item]) }
      move(source: image.facts.count + place, to: isDemanded[place] ? 1 : 0)
    }
    turned.removeAll()
  }

  /// Handles the expired timers and evaluates every dirty rule.
  private mutating func step() {
    while let fact = ages.removeExpired(at: now.nanoseconds) { setKnownValue(fact, .nan) }
    while let timer = timers.removeExpired(at: now.nanoseconds) {
      dirty.insert(Int(plan.timers.rules[timer]))
    }
    if indexedRules.isPending { indexedRules.evaluate(plan.index) }
    guard !dirty.isEmpty else { return }
    var next = 0
    while let rule = dirty.first(from: next) {
      next = rule + 1
      evaluateRule(at: rule)
    }
    dirty.removeAll()
  }

  private mutating func collectChanges(into changes: inout ContiguousArray<RuleVMChange>) {
    indexedRules.collectChanges(into: &changed)
    var next = 0
    while let rule = changed.first(from: next) {
      next = rule + 1
      if plan.index.isIndexed[rule] { copyIndexedResult(rule) }
      if rules[rule].isActive != rules[rule].isAnnounced {
        rules[rule].isAnnounced = rules[rule].isActive
        changes.append(.held(rule: rule, rules[rule].isActive))
      }
      for directive in plan.ruleTerms[rule].directives
      where runs[directive].isInForce != runs[directive].isAnnounced {
        runs[directive].isAnnounced = runs[directive].isInForce
        changes.append(
          runs[directive].isInForce ? .began(directive: directive) : .ended(directive: directive))
      }
      guard fired.contains(rule) else { continue }
      for act in plan.ruleTerms[rule].acts { changes.append(.fired(act: image.acts[act], rule: rule)) }
    }
    changed.removeAll()
    fired.removeAll()
  }

  /// Copies the result of an indexed rule from the index to the states of the rule and its directives.
  private mutating func copyIndexedResult(_ rule: Int) {
    let isActive = indexedRules.isActive(rule)
    rules[rule].isActive = isActive
    for directive in plan.ruleTerms[rule].directives { runs[directive].isInForce = isActive }
  }
}
