public import StintModel

extension RuleID {
  /// Returns true when the rule belongs to `other`.
  ///
  /// A rule belongs to itself. It also belongs to a budget or state machine when the name of the rule begins
  /// with the name of the budget or machine and a hyphen. So a step belongs to its budget, and a rule that
  /// the checker makes for a state or `goto` belongs to the machine.
  public func isPart(of other: RuleID) -> Bool {
    policy == other.policy && (rule == other.rule || rule.hasPrefix(other.rule + "-"))
  }
}
