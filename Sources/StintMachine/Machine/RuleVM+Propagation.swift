public import StintUnits

extension RuleVM {
  /// Looks at what may have changed up to `instant`, and tells what did: rules in the order of the image; of each
  /// whether it holds, then its directives, then its acts. Empty when nothing changed.
  public mutating func propagate(at instant: Instant) -> [RuleVMChange] {
    evaluate(at: instant)
    guard hasChangesToReport else { return [] }
    var changes: ContiguousArray<RuleVMChange> = []
    collectChanges(into: &changes)
    return Array(changes)
  }

  /// Looks at what may have changed up to `instant`, and appends what did, as `propagate(at:)` tells it. With room in
  /// the list, it takes no memory.
  public mutating func propagate(at instant: Instant, into changes: inout ContiguousArray<RuleVMChange>) {
    evaluate(at: instant)
    if hasChangesToReport { collectChanges(into: &changes) }
  }

  /// Works out what holds at `instant`, and tells nothing yet: the next `settle` does.
  public mutating func evaluate(at instant: Instant) {
    if instant > now { advance(to: instant) }
    if !turned.isEmpty { turnDemands() }
    if isPending { step() }
  }

  /// Whether a change may have to be announced.
  private var hasChangesToReport: Bool { indexedRules.hasChanges || !changed.isEmpty }

  /// Whether something must be looked at now.
  private var isPending: Bool {
    indexedRules.isPending || !dirty.isEmpty || min(timers.earliest, ages.earliest) <= now.nanoseconds
  }

  /// Advances the time; earlier timers run first, each at its own instant.
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

  /// Runs the timers that have expired, and evaluates every rule that they or changed facts concern.
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
      if rules[rule].isHeld != rules[rule].isAnnounced {
        rules[rule].isAnnounced = rules[rule].isHeld
        changes.append(.held(rule: rule, rules[rule].isHeld))
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

  /// Writes down what the index says of a rule, as looking at it would.
  private mutating func copyIndexedResult(_ rule: Int) {
    let isHeld = indexedRules.isHeld(rule)
    rules[rule].isHeld = isHeld
    for directive in plan.ruleTerms[rule].directives { runs[directive].isInForce = isHeld }
  }
}
