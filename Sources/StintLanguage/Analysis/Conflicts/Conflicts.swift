import StintModel

/// Finds conflicts between rules: rules that are never active, always active, overridden, or without effect.
///
/// A rule is active while its condition is true.
enum Conflicts {
  static func findings(_ policies: [CheckedPolicy], vocabulary: Vocabulary) -> [Finding] {
    let ruleTable = RuleTable(policies, vocabulary: vocabulary)
    var overruled = OverriddenStarts(ruleTable: ruleTable)
    var shadowed = ShadowedRules(ruleTable)
    return Reachability.findings(ruleTable) + overruled.findings() + shadowed.findings()
      + NoEffectSearch(ruleTable: ruleTable).findings()
      + UnusedPositionDefaults(ruleTable: ruleTable, policies: policies).findings()
  }
}
