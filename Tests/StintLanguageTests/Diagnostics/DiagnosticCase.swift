import StintLanguage
import StintTestSupport

/// A tiny policy with one mistake: what must be found, where, and what must be proposed.
struct DiagnosticCase: Sendable, CustomStringConvertible {
  let code: DiagnosticCode
  let marked: String
  /// What the fix puts in the place of what it replaces, or a part of the hint.
  let proposal: String?

  /// The header is added; the first mark is where the first label stands.
  init(_ code: DiagnosticCode, _ body: String, _ proposal: String? = nil, header: String = "policy \"p\"\n") {
    self.code = code
    marked = header + body
    self.proposal = proposal
  }

  var description: String { "\(code): \(marked.dropFirst(11).prefix(200))" }

  /// What the checker, and of a sound policy the analyses, say of the text without marks.
  func diagnostics() -> [Diagnostic] {
    let vocabulary = TestVocabulary.vocabulary
    let checked = Checker.check([MarkedSource(marked).source()], vocabulary: vocabulary)
    if checked.diagnostics.contains(where: { $0.severity == .error }) { return checked.diagnostics }
    let findings = Analysis.run(checked.policies, vocabulary: vocabulary)
    return checked.diagnostics + findings.map(\.diagnostic)
  }
}
