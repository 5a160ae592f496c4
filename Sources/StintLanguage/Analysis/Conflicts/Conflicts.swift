import StintModel

/// Finds conflicts between rules: rules that never hold, always hold, are overridden, or have no effect.
///
/// A rule holds while its condition is true.
enum Conflicts {
  static func findings(_ policies: [CheckedPolicy], vocabulary: Vocabulary) -> [Finding] {
    let book = RuleTable(policies, vocabulary: vocabulary)
    var overruled = OverriddenStarts(book: book)
    var shadowed = ShadowedRules(book)
    return Reachability.findings(book) + overruled.findings() + shadowed.findings()
      + NoEffectSearch(book: book).findings() + WatchedOnly(book: book, policies: policies).findings()
  }
}
