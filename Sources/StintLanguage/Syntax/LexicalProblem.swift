/// Something in the text that is no part of any policy, and what to type instead.
struct LexicalProblem: Hashable, Sendable {
  var code: DiagnosticCode
  var title: String
  var span: SourceSpan
  var hint: String?
  /// What is to stand there instead, where there is no doubt.
  var replacement: String?
}
