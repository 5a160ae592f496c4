import StintLanguage
import StintTestSupport

/// A small policy with one mistake, and the diagnostic that is expected: code, position and proposed
/// correction.
struct DiagnosticCase: Sendable, CustomStringConvertible {
  let code: DiagnosticCode
  /// The policy, with ⟦ and ⟧ around the expected position.
  let marked: String
  /// The replacement of the fix, or a part of the hint; nil when neither is tested.
  let proposal: String?

  /// Creates a case. The policy is `header` followed by the body. The first mark in the body is the position
  /// of the first label.
  init(_ code: DiagnosticCode, _ body: String, _ proposal: String? = nil, header: String = "policy \"p\"\n") {
    self.code = code
    marked = header + body
    self.proposal = proposal
  }

  var description: String { "\(code): \(marked.dropFirst(11).prefix(200))" }

  /// Returns the diagnostics of the checker for the policy without marks. A policy without an error is also
  /// analysed.
  func diagnostics() -> [Diagnostic] {
    let vocabulary = TestVocabulary.vocabulary
    let checked = Checker.check([MarkedSource(marked).source()], vocabulary: vocabulary)
    if checked.diagnostics.contains(where: { $0.severity == .error }) { return checked.diagnostics }
    let findings = Analysis.run(checked.policies, vocabulary: vocabulary)
    return checked.diagnostics + findings.map(\.diagnostic)
  }
}
