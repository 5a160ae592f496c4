public import StintModel

/// An expression in the syntax tree.
public struct SyntaxExpression: Hashable, Sendable {
  /// The kind of an expression, with its operands.
  public indirect enum Kind: Hashable, Sendable {
    case number(NumberLiteral)
    case quantity(QuantityLiteral)
    case string(StringLiteral)
    /// A fact, a `let` or a parameter: `gps.accuracy`, `moving`.
    case path(Name)
    case call(Name, [SyntaxExpression])
    case not(SyntaxExpression)
    case negate(SyntaxExpression)
    case and([SyntaxExpression])
    case or([SyntaxExpression])
    case implies(SyntaxExpression, SyntaxExpression)
    case compare(Comparison, SyntaxExpression, SyntaxExpression)
    case arithmetic(Arithmetic, SyntaxExpression, SyntaxExpression)
    /// A comparison that is written as a word, such as `below` with or without `release`: its name in
    /// `LanguageDefinition`, and its operands.
    case worded(String, [SyntaxExpression])
    case isWord(SyntaxExpression, Name)
    case inList(SyntaxExpression, [Name])
    /// A test against a schedule: `time in night`.
    case inName(SyntaxExpression, Name)
    case heldFor(SyntaxExpression, QuantityLiteral, tolerate: QuantityLiteral?)
    case inLast(SyntaxExpression, QuantityLiteral)
    case parenthesised(SyntaxExpression)
    /// An expression with a syntax error, which has been reported.
    case missing
  }

  /// The operator or literal, with its operands.
  public var kind: Kind
  /// The range in the source.
  public var span: SourceSpan
}
