import StintLanguage

/// The white space before a token.
enum Gap: Hashable, Sendable {
  /// Whether an empty line precedes the new line.
  enum EmptyLine: Hashable, Sendable {
    case always
    /// An empty line that the author wrote remains.
    case kept
    case never
  }

  case none
  /// A number of spaces; more than one in aligned columns.
  case spaces(Int)
  /// A space, or a line break when the line is too long. In such a line, only the gaps with the lowest level
  /// become line breaks.
  case soft(level: Int)
  case line(indent: Int, EmptyLine)
  /// The gap before the brace that ends a block.
  case closing(indent: Int)
  /// The gap before a setting. In a block that is broken into lines, each setting is on its own line. In any
  /// other block, one space precedes the first setting and two spaces precede each further setting.
  case setting(isFirst: Bool)
  /// The gap before the brace that ends settings.
  case endOfSettings
}
