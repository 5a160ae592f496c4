public import StintModel

extension RuleID {
  /// Returns true when the rule equals `other`, or is a step of the budget or a rule of the state machine
  /// called `other`.
  public func isPart(of other: RuleID) -> Bool {
    policy == other.policy && (rule == other.rule || rule.hasPrefix(other.rule + "-"))
  }
}
