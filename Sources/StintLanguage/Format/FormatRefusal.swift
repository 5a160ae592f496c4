/// Why a file was not laid out: it cannot be read, and guessing would change what it says.
public struct FormatRefusal: Error, Hashable, Sendable {
  /// What the parser found, errors and all.
  public var diagnostics: [Diagnostic]
}
