public import StintModel

/// Checks policies that are loaded together: names, types, units, capabilities and overrides between rules.
public enum Checker {
  /// Returns one checked policy for each file, and all diagnostics in the order of the files.
  ///
  /// When there is an error, the policies are incomplete and must not be compiled.
  public static func check(
    _ sources: [SourceText], vocabulary: Vocabulary
  ) -> (policies: [CheckedPolicy], diagnostics: [Diagnostic]) {
    // Policies must not name the computed facts of other policies.
    let vocabulary = vocabulary.computing([])
    var checkers: [PolicyChecker] = []
    let all = sources.map { (source: $0, parsed: Parser.parse($0, units: vocabulary.units)) }
    if let excess = sizeError(all.map { ($0.source, $0.parsed.file) }) {
      return (
        all.map { CheckedPolicy(name: $0.parsed.file.name?.text ?? "", version: 1, file: $0.source.file) },
        all.flatMap(\.parsed.diagnostics) + [excess]
      )
    }
    for (source, parsed) in all {
      var checker = PolicyChecker(
        source: source, file: parsed.file, vocabulary: vocabulary, diagnostics: parsed.diagnostics)
      checker.check()
      checkers.append(checker)
    }
    PolicyLinker.link(&checkers)
    return (checkers.map(\.policy), checkers.flatMap { withoutUnreliableAdvice($0.sortedDiagnostics) })
  }

  /// Returns the diagnostics of a file, without warnings and notes when the file has syntax errors.
  ///
  /// A name that looks unused may be used in a part with syntax errors.
  private static func withoutUnreliableAdvice(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    let isBroken = diagnostics.contains {
      $0.severity == .error && ["P00", "P01"].contains($0.code.name.prefix(3))
    }
    return isBroken ? diagnostics.filter { $0.severity == .error } : diagnostics
  }

  /// Returns an error at the first rule above the limit; nil when the number of rules is within the limit.
  private static func sizeError(_ files: [(source: SourceText, file: PolicyFile)]) -> Diagnostic? {
    var count = 0
    for (source, file) in files {
      for case .rule(let rule) in file.items {
        count += 1
        guard count > PolicyLimits.maxRules else { continue }
        return Diagnostic(
          .tooLong, "the policies that are loaded together have more than \(PolicyLimits.maxRules) rules",
          file: source.file,
          labels: [Diagnostic.Label(span: rule.name.span, text: "one too many")],
          hint: "a rule can name several devices: pause [gps, wifi]")
      }
    }
    return nil
  }
}
