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
    case rests(TimeSpan)
  }

  /// Nil for what is always true.
  var condition: CheckedExpression?
  /// The policy whose schedules it names.
  var policy: String
  var mode: Mode

  var recurs: Bool { if case .recurs = mode { true } else { false } }

  /// That the rule's directives are in force, or at least one of them.
  static func inForce(_ rule: CheckedRule) -> Claim {
    let mode: Mode =
      switch rule.trigger {
      case .always, .whilst: .holds
      case .every: .recurs
      case .when: .rises(within: rule.shortestRun)
      }
    return Claim(condition: rule.trigger.condition, policy: rule.id.policy, mode: mode)
  }

  /// That somebody demands the device, as a rule that starts it does itself.
  static func demanded(_ device: DeviceID, by rule: CheckedRule) -> Claim {
    let condition = CheckedExpression(kind: .demanded(device), type: .boolean, span: rule.span)
    return Claim(condition: condition, policy: rule.id.policy, mode: .holds)
  }

  /// That none of the rule's directives is in force.
  static func notInForce(_ rule: CheckedRule) -> Claim {
    let mode: Mode =
      switch rule.trigger {
      case .always, .whilst, .every: .fails
      case .when: .rests(rule.longestRun)
      }
    return Claim(condition: rule.trigger.condition, policy: rule.id.policy, mode: mode)
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
