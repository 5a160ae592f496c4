/// What stands before a token.
enum Gap: Hashable, Sendable {
  /// Whether an empty line comes with a new line.
  enum EmptyLine: Hashable, Sendable {
    case always
    /// Where the author left one.
    case kept
    case never
  }

  case none
  /// The given number of spaces; more than one where columns are aligned.
  case spaces(Int)
  /// A space, or a new line where the line grows too long; lower levels break first.
  case soft(level: Int)
  case line(indent: Int, EmptyLine)
  /// The brace that ends a block.
  case closing(indent: Int)
  /// A setting; on its own line when its block is broken. The first of a block has one space, others two.
  case setting(isFirst: Bool)
  /// The brace that ends settings.
  case endOfSettings
}
