/// A piece of a policy's text, comments included: for colouring, and for guessing what may follow.
public struct PolicyToken: Hashable, Sendable {
  /// What sort of piece.
  public enum Kind: Hashable, Sendable {
    /// Letters, digits and underscores: a keyword, a name or a unit, as the place decides.
    case word
    case number
    /// A time of day.
    case clock
    case string
    case comment
    /// Punctuation and operators.
    case symbol
    /// Something that policies do not use.
    case strange
  }

  public var kind: Kind
  public var span: SourceSpan
  /// Whether a line ends between the token before it and this one.
  public var isFirstOnLine: Bool

  /// All pieces of a text, in order.
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
