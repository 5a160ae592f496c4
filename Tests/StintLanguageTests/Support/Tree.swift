import StintAuthoring
import StintLanguage
import StintUnits

/// Returns the tree of a text without source positions, so that trees can be compared.
func tree(_ text: String) -> String {
  var file = Parser.parse(SourceText(file: "tree", text: text), units: .standard).file
  file.comments = []
  return String(describing: file).replacing(/SourceSpan\(start: \d+, end: \d+\)/, with: "_")
}

func comments(_ text: String) -> [String] {
  let source = SourceText(file: "comments", text: text)
  return Parser.parse(source, units: .standard).file.comments.map { source.text(of: $0.span) }
}

/// Returns the formatted text; for a text with syntax errors, “refused” and the titles of its diagnostics.
func formatted(_ text: String) -> String {
  switch Formatter.format(SourceText(file: "format", text: text)) {
  case .success(let text): text
  case .failure(let refusal): "refused: " + refusal.diagnostics.map(\.title).joined(separator: "; ")
  }
}
