/// Turns diagnostics into text for people: place, title, the line with carets, a hint.
public enum DiagnosticRenderer {
  /// How many are shown before the rest is only counted.
  public static let limit = 100

  /// The text of all, in order, with a blank line between two; colours are ANSI escapes.
  public static func text(_ diagnostics: [Diagnostic], sources: [SourceText], colour: Bool = false) -> String
  {
    var blocks = diagnostics.prefix(limit).map { block($0, sources, colour) }
    if diagnostics.count > limit { blocks.append("and \(diagnostics.count - limit) more\n") }
    return blocks.joined(separator: "\n")
  }

  private static func block(_ diagnostic: Diagnostic, _ sources: [SourceText], _ colour: Bool) -> String {
    let paint = Paint(isOn: colour)
    let source = sources.first { $0.file == diagnostic.file }
    let place = diagnostic.labels.first.flatMap { label in source.map { $0.position(of: label.span.start) } }
    let origin = place.map { "\(diagnostic.file):\($0.line):\($0.column)" } ?? diagnostic.file
    let kind = paint.severity("\(diagnostic.severity.rawValue)[\(diagnostic.code)]", diagnostic.severity)
    var lines = ["\(origin): \(kind): \(paint.bold(diagnostic.title))"]
    if let source {
      for (index, label) in diagnostic.labels.enumerated() {
        lines += excerpt(label, isFirst: index == 0, source, paint, diagnostic.severity)
      }
    }
    if let hint = diagnostic.hint { lines.append("  hint: \(hint)") }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func excerpt(
    _ label: Diagnostic.Label, isFirst: Bool, _ source: SourceText, _ paint: Paint,
    _ severity: Diagnostic.Severity
  ) -> [String] {
    let line = source.position(of: label.span.start).line
    let whole = source.lineRange(line)
    let place = min(max(label.span.start, whole.lowerBound), whole.upperBound)
    // A line of megabytes is shown from a little before the place to a little behind it.
    let start =
      place - whole.lowerBound > 100
      ? max(whole.lowerBound, source.boundary(atOrBefore: place - 40)) : whole.lowerBound
    let end = source.boundary(atOrBefore: min(whole.upperBound, start + 160))
    let before = printable(source, start..<place)
    let marked = printable(source, place..<min(max(label.span.end, place), max(end, place)))
    let shown = printable(source, start..<max(end, place))
    let carets = String(repeating: isFirst ? "^" : "-", count: max(marked.count, 1))
    let margin = String(repeating: " ", count: "\(line)".count)
    let indent = String(repeating: " ", count: before.count)
    let text = label.text.isEmpty ? "" : " \(label.text)"
    return [
      " \(line) | \(shown)",
      " \(margin) | \(indent)\(paint.severity(carets + text, isFirst ? severity : .note))",
    ]
  }

  /// The text of a stretch of one line; control characters are shown as spaces.
  private static func printable(_ source: SourceText, _ range: Range<Int>) -> String {
    let text = source.text(of: SourceSpan(start: range.lowerBound, end: range.upperBound))
    return String(text.map { $0.asciiValue.map { $0 < 32 || $0 == 127 } ?? false ? " " : $0 })
  }
}

/// ANSI colours, or none.
private struct Paint {
  let isOn: Bool

  func bold(_ text: String) -> String { isOn ? "\u{1B}[1m\(text)\u{1B}[0m" : text }

  func severity(_ text: String, _ severity: Diagnostic.Severity) -> String {
    guard isOn else { return text }
    let colour =
      switch severity {
      case .error: 31
      case .warning: 33
      case .note: 36
      }
    return "\u{1B}[\(colour)m\(text)\u{1B}[0m"
  }
}
