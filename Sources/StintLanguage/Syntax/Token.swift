/// A token of a policy.
package struct Token: Hashable, Sendable {
  /// The kind of a token.
  package enum Kind: Hashable, Sendable {
    /// Letters, digits and underscores, beginning with a letter: a keyword, a name or a unit, depending on
    /// the context.
    case word
    case number
    /// A time of day, `22:30`.
    case clock
    case string
    case symbol(Symbol)
    /// Characters that policies do not use; they have been reported.
    case strange
    case end
  }

  /// Punctuation and operators.
  package enum Symbol: String, Hashable, Sendable, CaseIterable {
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

  package var kind: Kind
  package var span: SourceSpan
  /// True for the first token of the file, and for a token on a later line than the previous token.
  package var isFirstOnLine: Bool

  package func isSymbol(_ symbol: Symbol) -> Bool { kind == .symbol(symbol) }
}

/// A comment, from `#` to the end of its line.
public struct Comment: Hashable, Sendable {
  /// The range in the source.
  public var span: SourceSpan
  /// True when only white space precedes the comment on its line.
  public var isOwnLine: Bool
}
