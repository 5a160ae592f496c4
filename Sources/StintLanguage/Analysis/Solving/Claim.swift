import StintModel
import StintUnits

/// A statement about a condition at one moment.
struct Claim {
  enum Mode {
    /// The condition is true.
    case holds
    /// The condition is true again and again.
    case recurs
    /// The condition is false or unknown.
    case fails
    /// The condition is true, and became true less than `within` ago. If `within` is nil, the condition may
    /// have become true at any time.
    case rises(within: TimeSpan?)
    /// The condition did not become true within this time before now.
    case staysFalse(TimeSpan)
  }

  /// The condition; nil for a condition that is always true.
  var condition: CheckedExpression?
  /// The name of the policy whose schedules are used in the condition.
  var policy: String
  var mode: Mode

  var recurs: Bool { if case .recurs = mode { true } else { false } }

  /// Returns the claim that at least one of the rule's directives is in force.
  static func inForce(_ rule: CheckedRule) -> Claim {
    inForce(rule, rule.trigger.condition, of: rule.id.policy)
  }

  /// Returns the claim that the rule is in force, with a condition that uses the schedules of the given
  /// policy.
  static func inForce(_ rule: CheckedRule, _ condition: CheckedExpression?, of policy: String) -> Claim {
    switch rule.trigger {
    case .always, .whilst: Claim(condition: condition, policy: policy, mode: .holds)
    case .every: Claim(condition: condition, policy: policy, mode: .recurs)
    case .when: Claim(condition: condition, policy: policy, mode: .rises(within: rule.shortestRun))
    }
  }

  /// Returns the claim that none of the rule's directives is in force.
  static func notInForce(_ rule: CheckedRule, _ condition: CheckedExpression?, of policy: String) -> Claim {
    switch rule.trigger {
    case .always, .whilst, .every: Claim(condition: condition, policy: policy, mode: .fails)
    case .when: Claim(condition: condition, policy: policy, mode: .staysFalse(rule.longestRun))
    }
  }

  /// Returns the claim that the device is demanded. A rule that starts the device creates such a demand.
  static func demanded(_ device: DeviceID, by rule: CheckedRule) -> Claim {
    let condition = CheckedExpression(kind: .demanded(device), type: .boolean, span: rule.span)
    return Claim(condition: condition, policy: rule.id.policy, mode: .holds)
  }

}

extension CheckedRule {
  /// The shortest time for which a directive with an end is in force; nil when no directive has an end.
  var shortestRun: TimeSpan? { directives.compactMap { $0.ending?.duration }.min() }

  /// The longest time for which a directive may be in force; 60 min for a directive without an end.
  var longestRun: TimeSpan {
    directives.map { $0.ending.map { $0.doublingTo ?? $0.duration } ?? .minutes(60) }.max() ?? .zero
  }
}
