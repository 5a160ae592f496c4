import StintModel
import StintUnits

/// How often a rule begins and ends what it does.
struct RulePace {
  let rule: CheckedRule
  /// How often its trigger calls for it.
  private let calls: Pace

  init(_ rule: CheckedRule, conditions: ConditionPace) {
    self.rule = rule
    switch rule.trigger {
    case .always: calls = .never
    case .whilst(let condition): calls = conditions.turns(of: condition).toTrue
    case .when(let condition, let atMost):
      let turns = conditions.turns(of: condition).toTrue
      calls = atMost.map { .min(turns, .spaced($0)) } ?? turns
    case .every(let period, _, _): calls = .spaced(period)
    }
  }

  /// How often it acts.
  var acts: Pace { rule.isInert || rule.trigger.isLevel ? .never : calls }

  /// How often the directive comes into force within an hour.
  func beginnings(of directive: CheckedDirective) -> Pace {
    if rule.isInert { return .never }
    guard !rule.trigger.isLevel else {
      // What an `until` ends begins anew when that is over.
      return directive.until == nil ? calls : .unbounded("“until” may end it again and again")
    }
    guard let duration = directive.ending?.duration, directive.until == nil else { return calls }
    return .min(calls, .spaced(duration))
  }

  /// How often it ends: one run may have begun before the hour.
  func ends(of directive: CheckedDirective) -> Pace {
    let pace = beginnings(of: directive)
    return pace.isNever ? .never : pace + .atMost(1)
  }

  /// How often the rule comes to hold or ceases to.
  var changes: Pace {
    if rule.isInert { return .never }
    if rule.trigger.isLevel { return calls.isNever ? .never : calls + calls + .atMost(1) }
    let all = Pace.sum(rule.directives.map { self.beginnings(of: $0) })
    return all + all + .atMost(1)
  }
}
