import StintModel
import StintUnits

/// Evaluates rules on a page, which is the state between two changes.
extension PolicyReference {
  /// Evaluates the rule at this index on the current page, and applies its directives and acts.
  mutating func evaluateRule(at place: Int) {
    let truth = rules[place].condition.map { nodes.isTrue($0) } ?? true
    let now = page.time
    var hasFired = false
    switch rules[place].kind {
    case .level: break
    case .rise(let apart):
      let last = rules[place].fired.last
      hasFired = truth && !rules[place].wasTrue && (last.map { $0 + apart <= now } ?? true)
    case .period(let length, let flex):
      // After the end of a period, the condition counts only once: on the first page of a wake-up, or on the
      // first page after `flex`.
      let over = (now - start) / length
      let end = start + (rules[place].periods + 1) * length
      if over > rules[place].periods, page.isWake || now - end >= flex {
        rules[place].periods = over
        hasFired = truth
      }
    }
    rules[place].wasTrue = truth
    if hasFired { rules[place].fired.append(now) }
    for directive in rules[place].directives.indices {
      let isOver = rules[place].directives[directive].until.map { nodes.isTrue($0) } ?? false
      if case .level = rules[place].kind {
        follow(place, directive, isInForce: truth && !isOver)
        continue
      }
      if isOver { cut(place, directive) } else if hasFired { run(place, directive) }
      let isRunning = rules[place].directives[directive].runs.last.map { $0.end > now } ?? false
      follow(place, directive, isInForce: isRunning)
    }
    if case .level = rules[place].kind {
      rules[place].isActive = truth
    } else {
      rules[place].isActive = rules[place].directives.contains { $0.isInForce }
    }
    guard hasFired else { return }
    for act in rules[place].acts { perform(act, by: rules[place].id) }
    if let text = rules[place].violation { tell("act \(rules[place].id) violation \(text)") }
  }

  /// Ends the current run of a directive now, if one is in progress.
  private mutating func cut(_ place: Int, _ directive: Int) {
    guard let last = rules[place].directives[directive].runs.last, last.end > page.time else { return }
    rules[place].directives[directive].runs[rules[place].directives[directive].runs.count - 1].end = page.time
  }

  /// Begins a run of a directive. Does nothing while a run is in progress, or when the number of runs in a
  /// row has reached its maximum.
  private mutating func run(_ place: Int, _ directive: Int) {
    let entry = rules[place].directives[directive]
    let now = page.time
    if let last = entry.runs.last, last.end > now { return }
    let count = runsInRow(entry, at: now)
    guard count < entry.atMost else { return }
    var span = entry.span
    for _ in 0..<count where span < entry.ceiling { span = min(span * 2, entry.ceiling) }
    rules[place].directives[directive].runs.append(
      ReferenceRule.Run(start: now, end: now + min(span, entry.ceiling), page: nodes.times.count - 1))
  }

  /// Returns the number of runs in a row. A success of a target device, or a pause of twice the maximum
  /// duration after a run, resets the count to 0.
  private func runsInRow(_ entry: ReferenceRule.Directive, at now: Int64) -> Int {
    let good = successes.indices.filter { device in entry.targets.contains { $0.rawValue == device } }
      .flatMap { successes[$0] }
    var count = 0
    for (place, run) in entry.runs.enumerated() {
      count += 1
      let next = place + 1 < entry.runs.count ? entry.runs[place + 1] : nil
      let isQuiet = run.end + 2 * entry.ceiling <= next?.start ?? now
      // A success on the page on which a run begins occurred before the run.
      let page = next?.page ?? nodes.times.count - 1
      let hasSucceeded = good.contains { $0 > run.page && $0 <= page }
      if isQuiet || hasSucceeded { count = 0 }
    }
    return count
  }

  /// Records whether a directive is in force. When this has changed, raises or releases the demands of the
  /// directive.
  private mutating func follow(_ place: Int, _ directive: Int, isInForce: Bool) {
    guard rules[place].directives[directive].isInForce != isInForce else { return }
    rules[place].directives[directive].isInForce = isInForce
    let entry = rules[place].directives[directive]
    guard case .start(let client, let accuracy, let period) = entry.action else { return }
    guard isInForce else {
      for id in entry.raised { release(id) }
      rules[place].directives[directive].raised = []
      return
    }
    var wants = DemandSettings()
    wants.accuracy = accuracy.map(Double.init)
    wants.period = period.map { world.span($0) }
    for target in entry.targets {
      let rule = rules[place].id
      let id = raise(client ?? rule.policy, target, wants, rule: rule)
      rules[place].directives[directive].raised.append(id)
    }
  }

  private mutating func perform(_ act: PlanPolicy.Act, by rule: RuleID) {
    switch act {
    case .emit(let name): tell("act \(rule) emit \(name)")
    case .tell(let client, let text): tell("act \(rule) tell \(client) \(text)")
    case .launch(let client): tell("act \(rule) launch \(client)")
    case .fix(let metres, let span):
      let timeout = world.span(span)
      tell("act \(rule) fix fast.one to \(metres) m timeout \(timeout)")
      let id = raise(rule.policy, .fast, DemandSettings(accuracy: Double(metres)), rule: rule)
      guard let place = demands.firstIndex(where: { $0.id == id }) else { return }
      demands[place].expires = page.time + timeout.nanoseconds
    }
  }
}
