import StintUnits

/// Renders diagnostics as text for terminals: position, title, the source line with carets, and a hint.
public enum DiagnosticRenderer {
  /// The maximum number of diagnostics that are rendered. Further diagnostics are only counted.
  public static let limit = 100

  /// Returns the text of the first `limit` diagnostics, in order and separated by blank lines. If there are
  /// more diagnostics, the last line contains the number of the others. If `colour` is true, the text
  /// contains ANSI escapes.
  public static func text(_ diagnostics: [Diagnostic], sources: [SourceText], colour: Bool = false) -> String
  {
    var blocks = diagnostics.prefix(limit).map { block($0, sources, colour) }
    if diagnostics.count > limit { blocks.append("and \(diagnostics.count - limit) more\n") }
    return blocks.joined(separator: "\n")
  }

  private static func block(_ diagnostic: Diagnostic, _ sources: [SourceText], _ colour: Bool) -> String {
    let paint = DiagnosticPaint(isOn: colour)
    let source = sources.first { $0.file == diagnostic.file }
    let place = diagnostic.labels.first.flatMap { label in source.map { $0.position(of: label.span.start) } }
    // The name of a file may contain characters that forge a message.
    let file = VisibleText.line(diagnostic.file)
    let origin = place.map { "\(file):\($0.line):\($0.column)" } ?? file
    let kind = paint.severity("\(diagnostic.severity.rawValue)[\(diagnostic.code)]", diagnostic.severity)
    var lines = ["\(origin): \(kind): \(paint.bold(diagnostic.title))"]
    // The lines of a program or another binary file mean nothing to people.
    if let source, PlainText.controlCharacter(in: source.bytes) == nil {
      lines += ExcerptWriter(source: source, severity: diagnostic.severity, paint: paint).lines(
        diagnostic.labels)
    }
    if let hint = diagnostic.hint { lines.append("  hint: \(hint)") }
    return lines.joined(separator: "\n") + "\n"
  }
}
