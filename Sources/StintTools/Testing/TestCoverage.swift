public import StintLanguage
public import StintModel

/// The parts of a policy that its tests covered.
public struct TestCoverage: Hashable, Sendable {
  /// A comparison, or another Boolean part of a condition, that did not have both truth values.
  public struct Gap: Hashable, Sendable {
    /// The comparison in the source.
    public var span: SourceSpan
    /// True when the comparison was true at some instant.
    public var wasTrue: Bool
    /// True when the comparison was false at some instant.
    public var wasFalse: Bool
  }

  /// The number of rules of the policy.
  public var rules: Int
  /// Rules and transitions that were never in force and never acted in the tests. They are in the order of
  /// the file.
  public var rulesNeverInForce: [RuleID]
  /// The number of branches: two for each comparison or other Boolean part of a condition, true and false.
  public var branches: Int
  /// The number of covered branches.
  public var branchesSeen: Int
  /// The comparisons with an uncovered branch, in the order of the source.
  public var gaps: [Gap]

  init(of policy: CheckedPolicy, branches leaves: [CheckedExpression], by outcomes: [TestOutcome]) {
    let inForce = outcomes.reduce(into: Set<RuleID>()) { $0.formUnion($1.rulesInForce) }
    rules = policy.rules.count
    rulesNeverInForce = policy.rules.map(\.id).filter { !inForce.contains($0) }
    branches = 2 * leaves.count
    branchesSeen = 0
    gaps = []
    for (place, leaf) in leaves.enumerated() {
      let wasTrue = outcomes.contains { $0.truths[place].wasTrue }
      let wasFalse = outcomes.contains { $0.truths[place].wasFalse }
      branchesSeen += (wasTrue ? 1 : 0) + (wasFalse ? 1 : 0)
      if !wasTrue || !wasFalse { gaps.append(Gap(span: leaf.span, wasTrue: wasTrue, wasFalse: wasFalse)) }
    }
  }
}
