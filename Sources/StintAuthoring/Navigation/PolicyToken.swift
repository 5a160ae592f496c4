public import StintLanguage

/// A token of a policy, or a comment, for syntax colouring and completion.
public struct PolicyToken: Hashable, Sendable {
  /// The kind of a token.
  public enum Kind: Hashable, Sendable {
    /// Letters, digits and underscores: a keyword, a name or a unit, depending on the context.
    case word
    case number
    /// A time of day.
    case clock
    case string
    case comment
    /// Punctuation and operators.
    case symbol
    /// Characters that policies do not use.
    case strange
  }

  /// The kind of the token.
  public var kind: Kind
  /// The range of the token in the source.
  public var span: SourceSpan
  /// True when no other token precedes this token on its line.
  public var isFirstOnLine: Bool

  /// Returns all tokens and comments of a file, in order.
  public static func all(of source: SourceText) -> [PolicyToken] {
    var lexer = Lexer(source)
    var tokens: [PolicyToken] = []
    while true {
      let token = lexer.next()
      let kind: Kind
      switch token.kind {
      case .word: kind = .word
      case .number: kind = .number
      case .clock: kind = .clock
      case .string: kind = .string
      case .symbol: kind = .symbol
      case .strange: kind = .strange
      case .end:
        let comments = lexer.comments.map {
          PolicyToken(kind: .comment, span: $0.span, isFirstOnLine: $0.isOwnLine)
        }
        return (tokens + comments).sorted { $0.span.start < $1.span.start }
      }
      tokens.append(PolicyToken(kind: kind, span: token.span, isFirstOnLine: token.isFirstOnLine))
    }
  }
}
