import StintMachine
import StintModel
import StintUnits

/// Computes the migration report of a rule VM whose image was replaced.
struct MachineMigration {
  let now: Instant
  let old: Image
  let new: Image
  let memory: RuleVMSnapshot
  let match: ImageMatch
  /// For each rule, slot and directive of the old image: the corresponding index in the new image, or -1.
  let rules: [Int]
  let slots: [Int]
  let directives: [Int]

  init(_ machine: RuleVM, _ new: Image, _ match: ImageMatch, at instant: Instant) {
    now = instant
    old = machine.image
    self.new = new
    memory = machine.memory
    self.match = match
    rules = Self.inverse(match.rules, old.rules.count)
    slots = Self.inverse(match.slots, old.slots.count)
    directives = Self.inverse(match.directives, old.directives.count)
  }

  private static func inverse(_ numbers: [Int], _ count: Int) -> [Int] {
    var inverse = Array(repeating: -1, count: count)
    for (number, before) in numbers.enumerated() where before >= 0 { inverse[before] = number }
    return inverse
  }

  var entries: [ReloadReport.Entry] {
    var slotsOfRules: [RuleID: [Int]] = [:]
    for (number, slot) in old.slots.enumerated() {
      slotsOfRules[slot.key.rule, default: []].append(number)
    }
    var entries: [ReloadReport.Entry] = []
    for number in old.rules.indices where !old.rules[number].isPerDemand {
      if let entry = triggerEntry(number) { entries.append(entry) }
      entries += (slotsOfRules[old.rules[number].id] ?? []).map { slotEntry($0, of: number) }
      for (place, directive) in old.rules[number].directives.enumerated() {
        if let entry = runEntry(directive, place, of: number) { entries.append(entry) }
      }
    }
    return entries
  }

  /// Returns the migration result of state that belongs to a rule of the old image.
  ///
  /// `number` is the index of the state in the new image, or -1. `hasLike` returns whether the new rule
  /// contains new state of a similar kind.
  private func migration(_ rule: Int, _ number: Int, hasLike: (ImageRule) -> Bool)
    -> ReloadReport.MigrationResult
  {
    let owner = rules[rule]
    guard owner >= 0 else { return .dropped }
    if number >= 0 {
      let id = new.rules[owner].id
      return id == old.rules[rule].id ? .kept : .moved(to: id.description)
    }
    return hasLike(new.rules[owner]) ? .reset : .dropped
  }

  // MARK: Triggers

  private func triggerEntry(_ number: Int) -> ReloadReport.Entry? {
    let rule = old.rules[number]
    let state = memory.rules[number]
    guard let expression = Self.text(of: rule.trigger) else { return nil }
    let value: String
    switch rule.trigger {
    case .period(let period, _):
      value =
        state.nextPeriod.map { "due in \(ReloadValue.span(periodEnd($0, of: number, period) - now))" }
        ?? "never due"
    case .rise(_?):
      value = state.lastFired.map { "acted \(ReloadValue.span(now - $0)) ago" } ?? "has not acted"
    case .level, .rise(nil): return nil
    }
    let owner = rules[number]
    let isSame = owner >= 0 && (match.isSameTrigger[owner] || match.isTunedTrigger[owner])
    let present = isSame ? Self.text(of: new.rules[owner].trigger) ?? expression : expression
    var entry = ReloadReport.Entry(
      kind: .timer, owner: rule.id.description, expression: expression, value: value,
      migration: migration(number, isSame ? 0 : -1) { other in
        switch (rule.trigger, other.trigger) {
        case (.period, .period), (.rise, .rise(_?)): true
        default: false
        }
      })
    if present != expression { entry.newExpression = present }
    return entry
  }

  /// Returns the end of the present period of a rule after the reload.
  private func periodEnd(_ end: Instant, of number: Int, _ period: TimeSpan) -> Instant {
    let owner = rules[number]
    guard owner >= 0, match.isTunedTrigger[owner], case .period(let next, _) = new.rules[owner].trigger else {
      return end
    }
    return RuleVM.periodEnd(end, of: period, with: next, at: now)
  }

  /// Returns the part of a trigger that has state; nil for a trigger without state.
  private static func text(of trigger: ImageRule.Trigger) -> String? {
    switch trigger {
    case .period(let period, _): "every \(period)"
    case .rise(let atMost?): "at most once in \(atMost)"
    case .level, .rise(nil): nil
    }
  }

  // MARK: Slots

  private func slotEntry(_ number: Int, of rule: Int) -> ReloadReport.Entry {
    let slot = old.slots[number]
    let state = memory.slots[number]
    let kind: ReloadReport.Kind
    let value: String
    switch slot.kind {
    case .latch:
      kind = .latch
      value = state.isClosed ? "closed" : "open"
    case .heldFor:
      kind = .timer
      value = state.since.map { "true for \(ReloadValue.span(now - $0))" } ?? "not running"
    case .inLast:
      kind = .timer
      let last = state.since.map { "true \(ReloadValue.span(now - $0)) ago" }
      value = state.isClosed ? "true" : last ?? "never true"
    case .window:
      kind = .window
      value = state.values.count == 1 ? "one value" : "\(state.values.count) values"
    }
    var entry = ReloadReport.Entry(
      kind: kind, owner: slot.key.rule.description, expression: slot.key.structure,
      place: slot.place,
      value: value,
      migration: migration(rule, slots[number]) { other in
        new.slots.indices.contains {
          match.slots[$0] < 0 && new.slots[$0].key.rule == other.id
            && Self.isAlike(new.slots[$0].kind, slot.kind)
        }
      })
    if slots[number] >= 0 {
      let present = new.slots[slots[number]]
      entry.newPlace = present.place
      if let span = slot.kind.span, let newSpan = present.kind.span, span != newSpan {
        entry.changedSpan = "\(span), now \(newSpan)"
      }
    }
    return entry
  }

  private static func isAlike(_ left: ImageSlot.Kind, _ right: ImageSlot.Kind) -> Bool {
    switch (left, right) {
    case (.latch, .latch), (.window, .window): true
    case (.heldFor, .heldFor), (.heldFor, .inLast), (.inLast, .heldFor), (.inLast, .inLast): true
    default: false
    }
  }

  // MARK: Directives

  private func runEntry(_ number: Int, _ place: Int, of rule: Int) -> ReloadReport.Entry? {
    let entry = old.directives[number]
    guard let duration = entry.duration else { return nil }
    let run = memory.rules[rule].runs[place]
    let expression = entry.text(lasting: duration)
    let present = directives[number] >= 0 ? new.directives[directives[number]] : entry
    let presentText = present.duration.map { present.text(lasting: $0) } ?? expression
    var value = run.isInForce ? "in force" : "not in force"
    if run.isInForce, var end = run.end {
      // With doubling, the duration of the run depends on the number of runs, and the former end is printed.
      if entry.doublingTo == nil, let next = present.duration { end = max(now, end + (next - duration)) }
      value += ", ends in \(ReloadValue.span(end - now))"
    }
    if entry.doublingTo != nil || entry.atMost != nil { value += ", runs: \(run.count)" }
    var report = ReloadReport.Entry(
      kind: entry.doublingTo == nil ? .timer : .doubling, owner: entry.directive.rule.description,
      expression: expression, value: value,
      migration: migration(rule, directives[number]) { other in
        other.directives.contains { match.directives[$0] < 0 && new.directives[$0].duration != nil }
      })
    if presentText != expression { report.newExpression = presentText }
    return report
  }
}

extension ImageSlot.Kind {
  /// The duration of the operator; nil for a latch.
  fileprivate var span: TimeSpan? {
    switch self {
    case .heldFor(let span, _), .inLast(let span), .window(_, _, let span, _): span
    case .latch: nil
    }
  }
}

extension ImageDirective {
  /// Returns the action and its limits in the words of the policy: `stop for 5 min doubling to 1 h`.
  fileprivate func text(lasting duration: TimeSpan) -> String {
    var text = directive.action.verb
    if duration < .unlimited { text += " for \(duration)" }
    if let doublingTo { text += " doubling to \(doublingTo)" }
    if let atMost { text += " at most \(atMost) times" }
    return text
  }
}

extension Directive.Action {
  /// The keyword of the action in the policy language.
  fileprivate var verb: String {
    switch self {
    case .start: "start"
    case .locate(let zone): "watch \(zone)"
    case .serve(let word): word.isWatched ? "watch \(word.rawValue)" : "start \(word.rawValue)"
    case .stopService(let word): "stop \(word.rawValue)"
    case .resume: "start"
    case .stop: "stop"
    case .pause: "pause"
    case .limitAccuracy, .slow, .limitAttributes: "downgrade"
    case .batch: "batch"
    case .postpone: "defer"
    }
  }
}
