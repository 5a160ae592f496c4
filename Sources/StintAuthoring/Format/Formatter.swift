package import StintLanguage

package import StintUnits

/// Formats policies in the canonical layout.
///
/// Formatting changes only white space. Tokens, comments and their order do not change. Formatting is
/// idempotent: a second pass changes nothing.
public enum Formatter {
  /// The maximum width of a line, in characters. Longer lines are broken where possible.
  static let width = 100

  /// Returns the file in canonical layout, or the syntax errors that prevent formatting.
  package static func format(
    _ source: SourceText, units: UnitTable = .standard
  ) -> Result<String, FormatRefusal> {
    let parsed = Parser.parse(source, units: units)
    guard !parsed.diagnostics.contains(where: { $0.severity == .error }) else {
      return .failure(FormatRefusal(diagnostics: parsed.diagnostics))
    }
    var planner = GapPlanner(source)
    planner.plan(parsed.file)
    var writer = LayoutWriter(source, planner.tokens, planner.gaps, parsed.file.comments)
    return .success(writer.write())
  }
}
