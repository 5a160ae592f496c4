public import StintModel

extension RuleID {
  /// Whether the rule is the other, or a step of the budget or a state of the machine of its name.
  public func isPart(of other: RuleID) -> Bool {
    policy == other.policy && (rule == other.rule || rule.hasPrefix(other.rule + "-"))
  }
}
