public import StintUnits

extension Machine {
  /// Looks at what may have changed up to `instant`, and tells what did: rules in the order of the image; of each
  /// whether it holds, then its directives, then its acts. Empty when nothing changed.
  public mutating func settle(at instant: Instant) -> [MachineChange] {
    if instant > now { advance(to: instant) }
    if !turned.isEmpty { turnDemands() }
    if isPending { step() }
    return changed.isEmpty ? [] : told()
  }

  /// Whether something must be looked at now.
  private var isPending: Bool { !dirty.isEmpty || timers.earliest <= now.nanoseconds }

  /// Moves time on; what was due before happens first, at its own instant.
  mutating func advance(to instant: Instant) {
    if !dirty.isEmpty { step() }
    while timers.earliest < instant.nanoseconds {
      now = max(now, Instant(nanoseconds: timers.earliest))
      step()
    }
    now = instant
  }

  private mutating func turnDemands() {
    var next = 0
    while let place = turned.first(from: next) {
      next = place + 1
      isDemanded[place].toggle()
      for item in demandReaders.range(of: place) { dirty.insert(demandReaders[item]) }
    }
    turned.removeAll()
  }

  /// Runs the timers that are due, and looks at every rule that they or facts concern.
  private mutating func step() {
    while let timer = timers.takeDue(at: now.nanoseconds) { run(timer) }
    var next = 0
    while let rule = dirty.first(from: next) {
      next = rule + 1
      if !ruleTerms[rule].isInert { look(at: rule) }
    }
    dirty.removeAll()
  }

  private mutating func run(_ timer: Int) {
    if timer < lookTimer(0) {
      believe(timer, .nan)
    } else if timer < runTimer(0) {
      dirty.insert((timer - lookTimer(0)) % ruleTerms.count)
    } else {
      dirty.insert(directiveTerms[timer - runTimer(0)].rule)
    }
  }

  private mutating func told() -> [MachineChange] {
    var changes: [MachineChange] = []
    var next = 0
    while let rule = changed.first(from: next) {
      next = rule + 1
      if rules[rule].isHeld != rules[rule].isAnnounced {
        rules[rule].isAnnounced = rules[rule].isHeld
        changes.append(.held(rule: rule, rules[rule].isHeld))
      }
      for directive in ruleTerms[rule].directives
      where runs[directive].isInForce != runs[directive].isAnnounced {
        runs[directive].isAnnounced = runs[directive].isInForce
        changes.append(
          runs[directive].isInForce ? .began(directive: directive) : .ended(directive: directive))
      }
      guard fired.contains(rule) else { continue }
      changes += image.rules[rule].acts.map { .fired(act: image.acts[$0], rule: rule) }
    }
    changed.removeAll()
    fired.removeAll()
    return changes
  }
}
