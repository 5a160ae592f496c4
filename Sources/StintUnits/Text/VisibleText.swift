/// Escapes the characters that could change or hide a line of text on a terminal.
package enum VisibleText {
  /// Returns the text as one line in which each dangerous character is replaced by its code, such as
  /// `\u{202E}`.
  ///
  /// Control characters, line separators, marks without width, and characters that change the direction of
  /// text are dangerous. File names and messages of plugins may contain such characters, to forge or
  /// hide parts of a report.
  package static func line(_ text: String) -> String { escaped(text) { isDangerous($0) } }

  /// Returns the text with dangerous characters escaped as in `line(_:)`, but keeps line feeds and tabs.
  package static func lines(_ text: String) -> String {
    escaped(text) { $0 != "\n" && $0 != "\t" && isDangerous($0) }
  }

  private static func escaped(_ text: String, _ mustEscape: (Unicode.Scalar) -> Bool) -> String {
    guard text.unicodeScalars.contains(where: mustEscape) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if mustEscape(scalar) {
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Returns whether a character can forge or hide a part of a report.
  package static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // Control characters.
    case 0..<0x20, 0x7F..<0xA0: true
    // Marks, embeddings, overrides and isolates of the text direction.
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    // Separators of lines and paragraphs, and marks without width.
    case 0x2028, 0x2029, 0x200B, 0xFEFF: true
    default: false
    }
  }
}
