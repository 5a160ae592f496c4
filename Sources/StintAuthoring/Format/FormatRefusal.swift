package import StintLanguage

/// The error of formatting a file with syntax errors. The meaning of such a file is uncertain, so the
/// formatter leaves it unchanged.
package struct FormatRefusal: Error, Hashable, Sendable {
  /// All diagnostics of the parser; at least one is an error.
  package var diagnostics: [Diagnostic]
}
