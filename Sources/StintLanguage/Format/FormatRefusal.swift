/// The error of formatting a file with syntax errors. Its meaning is uncertain, so any change could alter it.
public struct FormatRefusal: Error, Hashable, Sendable {
  /// All diagnostics of the parser; at least one is an error.
  public var diagnostics: [Diagnostic]
}
