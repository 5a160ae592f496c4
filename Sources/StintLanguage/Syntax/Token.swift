/// A piece of a policy's text.
struct Token: Hashable, Sendable {
  /// What sort of piece.
  enum Kind: Hashable, Sendable {
    /// Letters, digits and underscores, beginning with a letter: a keyword, a name or a unit, as the place
    /// decides.
    case word
    case number
    /// A time of day, `22:30`.
    case clock
    case string
    case symbol(Symbol)
    /// Something that policies do not use; it has been reported.
    case strange
    case end
  }

  /// Punctuation and operators.
  enum Symbol: String, Hashable, Sendable, CaseIterable {
    case openBrace = "{"
    case closeBrace = "}"
    case openParenthesis = "("
    case closeParenthesis = ")"
    case openBracket = "["
    case closeBracket = "]"
    case comma = ","
    case range = ".."
    case dot = "."
    case lessOrEqual = "<="
    case less = "<"
    case greaterOrEqual = ">="
    case greater = ">"
    case equal = "=="
    case notEqual = "!="
    case assign = "="
    case plus = "+"
    case minus = "-"
    case times = "*"
    case slash = "/"
    case percent = "%"
  }

  var kind: Kind
  var span: SourceSpan
  /// Whether a line ends between the token before it and this one.
  var isFirstOnLine: Bool

  func isSymbol(_ symbol: Symbol) -> Bool { kind == .symbol(symbol) }
}

/// A comment, from `#` to the end of its line.
public struct Comment: Hashable, Sendable {
  public var span: SourceSpan
  /// Whether nothing but white space stands before it on its line.
  public var isOwnLine: Bool
}
