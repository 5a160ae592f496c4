import StintModel
import StintUnits

/// What is to be the case of a condition at one moment.
struct Claim {
  enum Mode {
    /// It is true.
    case holds
    /// It is true again and again.
    case recurs
    /// It is false or unknown.
    case fails
    /// It is true and came to be so less than this ago; nil for however long ago.
    case rises(within: TimeSpan?)
    /// It did not come true within this.
    case staysFalse(TimeSpan)
  }

  /// Nil for what is always true.
  var condition: CheckedExpression?
  /// The policy whose schedules it names.
  var policy: String
  var mode: Mode

  var recurs: Bool { if case .recurs = mode { true } else { false } }

  /// That the rule's directives are in force, or at least one of them.
  static func inForce(_ rule: CheckedRule) -> Claim {
    inForce(rule, rule.trigger.condition, of: rule.id.policy)
  }

  /// The same with the rule's condition as some other policy would write it.
  static func inForce(_ rule: CheckedRule, _ condition: CheckedExpression?, of policy: String) -> Claim {
    switch rule.trigger {
    case .always, .whilst: Claim(condition: condition, policy: policy, mode: .holds)
    case .every: Claim(condition: condition, policy: policy, mode: .recurs)
    case .when: Claim(condition: condition, policy: policy, mode: .rises(within: rule.shortestRun))
    }
  }

  /// That none of the rule's directives is in force.
  static func notInForce(_ rule: CheckedRule, _ condition: CheckedExpression?, of policy: String) -> Claim {
    switch rule.trigger {
    case .always, .whilst, .every: Claim(condition: condition, policy: policy, mode: .fails)
    case .when: Claim(condition: condition, policy: policy, mode: .staysFalse(rule.longestRun))
    }
  }

  /// Claims that the device is demanded, as a rule that starts it does itself.
  static func demanded(_ device: DeviceID, by rule: CheckedRule) -> Claim {
    let condition = CheckedExpression(kind: .demanded(device), type: .boolean, span: rule.span)
    return Claim(condition: condition, policy: rule.id.policy, mode: .holds)
  }

}

extension CheckedRule {
  /// How long each of its directives is in force at least; nil where one has no end of its own.
  var shortestRun: TimeSpan? { directives.compactMap { $0.ending?.duration }.min() }

  /// How long one of its directives may be in force.
  var longestRun: TimeSpan {
    directives.map { $0.ending.map { $0.doublingTo ?? $0.duration } ?? .minutes(60) }.max() ?? .zero
  }
}
