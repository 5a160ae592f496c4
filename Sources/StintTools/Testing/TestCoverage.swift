public import StintLanguage
public import StintModel

/// How much of a policy its tests have seen.
public struct TestCoverage: Hashable, Sendable {
  /// A comparison that was never true, or never false.
  public struct Gap: Hashable, Sendable {
    public var span: SourceSpan
    public var wasTrue: Bool
    public var wasFalse: Bool
  }

  public var rules: Int
  /// Rules that never held in any test, in the order of the file.
  public var rulesNeverHeld: [RuleID]
  /// Two for each comparison: true and false.
  public var branches: Int
  public var branchesSeen: Int
  public var gaps: [Gap]

  init(of policy: CheckedPolicy, branches leaves: [CheckedExpression], by outcomes: [TestOutcome]) {
    let held = outcomes.reduce(into: Set<RuleID>()) { $0.formUnion($1.rulesHeld) }
    rules = policy.rules.count
    rulesNeverHeld = policy.rules.map(\.id).filter { !held.contains($0) }
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
