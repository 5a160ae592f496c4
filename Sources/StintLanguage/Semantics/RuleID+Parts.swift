public import StintModel

extension RuleID {
  /// Returns true when the rule belongs to `other`.
  ///
  /// A rule belongs to itself, and to a budget or state machine whose name and a hyphen begin its name. So a
  /// step belongs to its budget, and a rule that the checker makes for a state or `goto` belongs to the
  /// machine.
  public func isPart(of other: RuleID) -> Bool {
    policy == other.policy && (rule == other.rule || rule.hasPrefix(other.rule + "-"))
  }
}
