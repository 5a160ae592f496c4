public import StintModel

/// Checks policies that are loaded together: names, types, units, capabilities, and who puts whom aside.
public enum Checker {
  /// The checked policies, one for each file, and everything found, in the order of the files.
  ///
  /// Where there is an error, the policies are what could be made of the files and must not be compiled.
  public static func check(
    _ sources: [SourceText], vocabulary: Vocabulary
  ) -> (policies: [CheckedPolicy], diagnostics: [Diagnostic]) {
    // What other policies computed is not for these to name.
    let vocabulary = vocabulary.computing([])
    var checkers: [PolicyChecker] = []
    for source in sources {
      let parsed = Parser.parse(source)
      var checker = PolicyChecker(
        source: source, file: parsed.file, vocabulary: vocabulary, diagnostics: parsed.diagnostics)
      checker.check()
      checkers.append(checker)
    }
    PolicyLinker.link(&checkers)
    return (checkers.map(\.policy), checkers.flatMap { $0.sortedDiagnostics })
  }
}
