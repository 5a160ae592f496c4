/// A problem that the lexer finds in the characters of a policy, with a message and a suggested replacement.
struct LexicalProblem: Hashable, Sendable {
  var code: DiagnosticCode
  var title: String
  var span: SourceSpan
  var hint: String?
  /// The replacement; nil when it is not certain.
  var replacement: String?
}
