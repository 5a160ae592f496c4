public import StintUnits

extension Machine {
  /// Looks at what may have changed up to `instant`, and tells what did, in the order of the image.
  public mutating func settle(at instant: Instant) -> [MachineChange] {
    now = max(now, instant)
    if nextStale <= now { forgetStale() }
    var changes: [MachineChange] = []
    endRuns(&changes)
    for rule in rules.indices where isDue(rule) { touch(rule) }
    guard hasDirty else { return changes }
    hasDirty = false
    for rule in rules.indices where isDirty[rule] {
      isDirty[rule] = false
      guard !image.rules[rule].isInert else { continue }
      look(at: rule, &changes)
    }
    return changes
  }

  private func isDue(_ rule: Int) -> Bool {
    rules[rule].timer <= now || rules[rule].nextPeriod.map { $0 <= now } ?? false
  }

  /// Values that are too old are no longer believed.
  private mutating func forgetStale() {
    nextStale = .distantFuture
    for place in staleAt.indices {
      if staleAt[place] <= now {
        staleAt[place] = .distantFuture
        guard !believed[place].isNaN else { continue }
        believed[place] = .nan
        for rule in readers[place] { touch(rule) }
      } else {
        nextStale = min(nextStale, staleAt[place])
      }
    }
  }

  /// Edge directives whose time is over end, before anything can begin them anew.
  private mutating func endRuns(_ changes: inout [MachineChange]) {
    for number in runs.indices where runs[number].isInForce && runs[number].end <= now {
      stop(number, &changes)
      settleHold(image.directives[number].rule, &changes)
    }
  }

  private mutating func stop(_ number: Int, _ changes: inout [MachineChange]) {
    runs[number].lastEnd = min(runs[number].end, now)
    runs[number].isInForce = false
    runs[number].end = .distantFuture
    changes.append(.ended(directive: number))
  }

  private mutating func look(at number: Int, _ changes: inout [MachineChange]) {
    current = number
    rules[number].timer = .distantFuture
    let rule = image.rules[number]
    let before = rules[number].truth
    let truth = rule.code.isEmpty ? Truth.yes : Truth(evaluate(rule.code))
    rules[number].truth = truth
    switch rule.trigger {
    case .level:
      for directive in rule.directives { level(directive, truth == .yes, &changes) }
    case .rise(let atMost):
      endEarly(rule.directives, &changes)
      if truth == .yes, before != .yes, mayFire(number, atMost) { fire(number, &changes) }
    case .period(let period, _):
      endEarly(rule.directives, &changes)
      guard let due = rules[number].nextPeriod, due <= now else { break }
      let missed = (now - due).nanoseconds / period.nanoseconds
      rules[number].nextPeriod = due + period.times(missed + 1, capped: .unlimited)
      if truth == .yes { fire(number, &changes) }
    }
    settleHold(number, &changes)
  }

  /// A level directive is in force while its rule's condition is true and its own `until` is not.
  private mutating func level(_ number: Int, _ holds: Bool, _ changes: inout [MachineChange]) {
    let isOver = isOver(number)
    let isWanted = holds && !isOver
    guard runs[number].isInForce != isWanted else { return }
    runs[number].isInForce = isWanted
    changes.append(isWanted ? .began(directive: number) : .ended(directive: number))
  }

  /// Edge directives whose `until` came true.
  private mutating func endEarly(_ directives: Range<Int>, _ changes: inout [MachineChange]) {
    for number in directives where isOver(number) && runs[number].isInForce { stop(number, &changes) }
  }

  private mutating func isOver(_ number: Int) -> Bool {
    let until = image.directives[number].until
    return !until.isEmpty && Truth(evaluate(until)) == .yes
  }

  private func mayFire(_ rule: Int, _ atMost: TimeSpan?) -> Bool {
    guard let atMost, let last = rules[rule].lastFired else { return true }
    return now - last >= atMost
  }

  private mutating func fire(_ number: Int, _ changes: inout [MachineChange]) {
    rules[number].lastFired = now
    for act in image.rules[number].acts { changes.append(.fired(act: image.acts[act], rule: number)) }
    for directive in image.rules[number].directives { start(directive, &changes) }
  }

  /// Starts a run, for its duration or twice that of the last; one that goes on goes on.
  private mutating func start(_ number: Int, _ changes: inout [MachineChange]) {
    guard !runs[number].isInForce, let duration = image.directives[number].duration else { return }
    let ceiling = image.directives[number].doublingTo ?? duration
    if let last = runs[number].lastEnd, now - last >= ceiling * 2 { runs[number].count = 0 }
    if let most = image.directives[number].atMost, runs[number].count >= most { return }
    let doublings = Int64(min(runs[number].count, 40))
    runs[number].count += 1
    runs[number].isInForce = true
    runs[number].end = now + duration.times(1 << doublings, capped: max(ceiling, duration))
    changes.append(.began(directive: number))
  }

  /// Tells when a rule begins or ceases to hold.
  private mutating func settleHold(_ number: Int, _ changes: inout [MachineChange]) {
    let rule = image.rules[number]
    let holds =
      rule.trigger == .level ? rules[number].truth == .yes : rule.directives.contains { runs[$0].isInForce }
    guard rules[number].isHeld != holds else { return }
    rules[number].isHeld = holds
    changes.append(.held(rule: number, holds))
  }
}
