public import StintModel

extension RuleID {
  /// Returns true when the rule belongs to `other`.
  ///
  /// It belongs to `other` when both are equal, or when it is a step of that budget or a rule of that state
  /// machine.
  public func isPart(of other: RuleID) -> Bool {
    policy == other.policy && (rule == other.rule || rule.hasPrefix(other.rule + "-"))
  }
}
