public import StintModel

/// The static analyses of policies: a bounded model finder over Kleene logic.
///
/// Conditions become formulas over variables with finitely many cells (`SolverVariables`, `ConditionSpace`).
/// `SatisfiabilitySearch` finds cells that make a formula true, or proves that no such cells exist, within a
/// limited number of choices. A result contains a `Witness`: facts with which a simulation reproduces the
/// result. A search that reaches the limit reports nothing.
public enum Analysis {
  /// Returns the findings of all analyses for policies that are loaded together, ordered by analysis.
  ///
  /// - Precondition: the checker found no error in the policies.
  public static func run(_ policies: [CheckedPolicy], vocabulary: Vocabulary) -> [Finding] {
    let vocabulary = vocabulary.computing(policies.flatMap(\.computed))
    return DeadEndAnalysis.deadEnds(policies, vocabulary: vocabulary).map(\.finding)
      + Flapping.findings(policies, vocabulary: vocabulary)
      + SelfBlinding.findings(policies, vocabulary: vocabulary)
      + Conflicts.findings(policies, vocabulary: vocabulary)
      + OscillationSearch.findings(policies, vocabulary: vocabulary)
      + RequirementVerification.findings(policies, vocabulary: vocabulary)
      + StartAdvice(vocabulary: vocabulary, policies: policies).findings()
      + UnusedPositionDevices(vocabulary: vocabulary, policies: policies).findings()
      + FrequentRules.findings(policies)
  }
}
