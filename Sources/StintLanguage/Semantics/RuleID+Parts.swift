public import StintModel

extension RuleID {
  /// Returns true when the rule belongs to `other`.
  ///
  /// A rule belongs to itself. A step also belongs to its budget, and a rule of a state machine to its
  /// machine.
  public func isPart(of other: RuleID) -> Bool {
    policy == other.policy && (rule == other.rule || rule.hasPrefix(other.rule + "-"))
  }
}
