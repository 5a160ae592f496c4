import StintLanguage

/// The tree of a text without its places, for comparing.
func tree(_ text: String) -> String {
  var file = Parser.parse(SourceText(file: "tree", text: text)).file
  file.comments = []
  return String(describing: file).replacing(/SourceSpan\(start: \d+, end: \d+\)/, with: "_")
}

/// The comments of a text, in order.
func comments(_ text: String) -> [String] {
  let source = SourceText(file: "comments", text: text)
  return Parser.parse(source).file.comments.map { source.text(of: $0.span) }
}

/// The text in canonical layout; where it cannot be read, what was found.
func formatted(_ text: String) -> String {
  switch Formatter.format(SourceText(file: "format", text: text)) {
  case .success(let text): text
  case .failure(let refusal): "refused: " + refusal.diagnostics.map(\.title).joined(separator: "; ")
  }
}
