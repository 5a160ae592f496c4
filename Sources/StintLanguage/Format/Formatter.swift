/// Lays policies out in the one canonical way.
///
/// Tokens and comments stay as they are and in their order; only white space changes. Laying out twice is laying
/// out once.
public enum Formatter {
  /// How wide a line may be before it is broken where that is possible.
  static let width = 100

  /// The text in canonical layout, or what keeps the file from being read.
  public static func format(_ source: SourceText) -> Result<String, FormatRefusal> {
    let parsed = Parser.parse(source)
    guard !parsed.diagnostics.contains(where: { $0.severity == .error }) else {
      return .failure(FormatRefusal(diagnostics: parsed.diagnostics))
    }
    var planner = GapPlanner(source)
    planner.plan(parsed.file)
    var writer = LayoutWriter(source, planner.tokens, planner.gaps, parsed.file.comments)
    return .success(writer.write())
  }
}
