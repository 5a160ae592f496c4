/// A language in which `stint plugin new` writes a plugin.
public enum PluginLanguage: String, Hashable, Sendable, CaseIterable {
  case swift, c, python

  /// Names that a plugin in this language cannot have.
  var reserved: Set<String> {
    switch self {
    case .swift: ["device", "stint"]
    case .c: ["auto", "test", "clean", "stint_channel", "stint_plugin"]
    case .python:
      [
        "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else",
        "except", "finally", "for", "from", "global", "if", "import", "in", "is", "json", "lambda",
        "nonlocal", "not", "or", "os", "pass", "raise", "return", "select", "struct", "tempfile", "time",
        "try", "unittest", "while", "with", "yield",
      ]
    }
  }
}
