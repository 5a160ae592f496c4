import StintModel
import StintUnits

/// Computes how often the directives of a rule begin and end.
struct RuleRate {
  let rule: CheckedRule
  /// How often the trigger fires or the condition becomes true, within any one hour.
  private let activations: RateBound
  /// How often a per-demand `while` rule ends for at least one demand, within any one hour. Nil for other
  /// rules.
  private var deactivations: RateBound?

  init(_ rule: CheckedRule, conditions: ConditionRate) {
    self.rule = rule
    switch rule.trigger {
    case .always: activations = .never
    case .whilst(let condition) where rule.isPerDemand:
      let changeRate = conditions.totalRate(condition)
      activations = changeRate.toTrue
      deactivations = changeRate.fromTrue
    case .when(let condition, _) where rule.isPerDemand:
      activations = conditions.totalRate(condition).toTrue
    case .every where rule.isPerDemand: activations = .unbounded(Self.separateTimingReason(rule))
    case .whilst(let condition): activations = conditions.changeRate(of: condition).toTrue
    case .when(let condition, let atMost):
      let changeRate = conditions.changeRate(of: condition).toTrue
      activations = atMost.map { .min(changeRate, .spaced($0)) } ?? changeRate
    case .every(let period, let flex, _):
      // The shortest interval between two runs: the first is as late as `flex` allows, the second is on time.
      activations = .spaced(period - (flex ?? .zero), else: "“flex” is as long as the period")
    }
  }

  /// Returns the reason why a rule that is timed separately for each demand has no bound.
  private static func separateTimingReason(_ rule: CheckedRule) -> String {
    "“\(rule.id.rule)” is timed separately for each demand, and the number of demands has no limit"
  }

  /// How often the rule runs its acts (one-time actions, such as a fix or a message) within any one hour.
  var acts: RateBound { rule.isInert || rule.trigger.isLevel ? .never : activations }

  /// Returns how often the directive comes into force within an hour.
  func beginnings(of directive: CheckedDirective) -> RateBound {
    if rule.isInert { return .never }
    guard !rule.trigger.isLevel else {
      // After `until` ended a directive, the directive begins again when the `until` condition becomes false.
      return directive.until == nil ? activations : .unbounded("“until” may end the directive repeatedly")
    }
    if rule.isPerDemand, directive.ending?.doublingTo != nil || directive.until != nil {
      return .unbounded(Self.separateTimingReason(rule))
    }
    guard let duration = directive.ending?.duration, directive.until == nil, !rule.isPerDemand else {
      return activations
    }
    return .min(activations, .spaced(duration))
  }

  /// Returns how often the directive ends within an hour. The first end within the hour may belong to a
  /// directive that began before the hour.
  func ends(of directive: CheckedDirective) -> RateBound {
    if rule.isInert { return .never }
    if let deactivations, directive.until == nil { return deactivations }
    let pace = beginnings(of: directive)
    return pace.isNever ? .never : pace + .atMost(1)
  }

  /// How often the rule comes into force or ends, within any one hour.
  var changes: RateBound {
    if rule.isInert { return .never }
    if let deactivations { return activations + deactivations }
    if rule.trigger.isLevel { return activations.isNever ? .never : activations + activations + .atMost(1) }
    let all = RateBound.sum(rule.directives.map { self.beginnings(of: $0) })
    return all + all + .atMost(1)
  }
}
