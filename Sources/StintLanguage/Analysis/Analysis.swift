public import StintModel

/// What can be said about policies before they run: a bounded model finder over Kleene logic.
///
/// Conditions become formulas over variables of finitely many cells (`SolverVariables`, `ConditionSpace`), and
/// `SatisfiabilitySearch` looks for cells that make a formula true, or shows that there are none, within a number of choices. What
/// it finds is a `Witness`, facts that a simulation reproduces; what it cannot decide is left unsaid.
public enum Analysis {
  /// Everything found about sound policies that are loaded together, one kind of finding after the other.
  ///
  /// - Precondition: the checker found no error in them.
  public static func run(_ policies: [CheckedPolicy], vocabulary: Vocabulary) -> [Finding] {
    let vocabulary = vocabulary.computing(policies.flatMap(\.computed))
    return DeadEndAnalysis.deadEnds(policies, vocabulary: vocabulary).map(\.finding)
      + Flapping.findings(policies, vocabulary: vocabulary)
      + Conflicts.findings(policies, vocabulary: vocabulary)
      + OscillationSearch.findings(policies, vocabulary: vocabulary)
      + RequirementVerification.findings(policies, vocabulary: vocabulary)
      + StartAdvice(vocabulary: vocabulary, policies: policies).findings()
  }
}
