import StintModel

/// Finds conflicts between rules: rules that never hold, always hold, are overridden, or have no effect.
///
/// A rule holds while its condition is true.
enum Conflicts {
  static func findings(_ policies: [CheckedPolicy], vocabulary: Vocabulary) -> [Finding] {
    let ruleTable = RuleTable(policies, vocabulary: vocabulary)
    var overruled = OverriddenStarts(ruleTable: ruleTable)
    var shadowed = ShadowedRules(ruleTable)
    return Reachability.findings(ruleTable) + overruled.findings() + shadowed.findings()
      + NoEffectSearch(ruleTable: ruleTable).findings()
      + WatchedOnly(ruleTable: ruleTable, policies: policies).findings()
  }
}
