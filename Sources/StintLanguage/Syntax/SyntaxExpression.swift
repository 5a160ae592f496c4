public import StintModel

/// An expression as it is written.
public struct SyntaxExpression: Hashable, Sendable {
  /// What it is.
  public indirect enum Kind: Hashable, Sendable {
    case number(NumberLiteral)
    case quantity(QuantityLiteral)
    case string(StringLiteral)
    /// A fact, a `let`, a parameter: `gps.accuracy`, `moving`.
    case path(Name)
    case call(Name, [SyntaxExpression])
    case not(SyntaxExpression)
    case negate(SyntaxExpression)
    case and([SyntaxExpression])
    case or([SyntaxExpression])
    case implies(SyntaxExpression, SyntaxExpression)
    case compare(Comparison, SyntaxExpression, SyntaxExpression)
    case arithmetic(Arithmetic, SyntaxExpression, SyntaxExpression)
    /// A comparison by words, as `below` with or without `release`: its name in `LanguageDefinition`, its operands.
    case worded(String, [SyntaxExpression])
    case isWord(SyntaxExpression, Name)
    case inList(SyntaxExpression, [Name])
    /// `time in night`.
    case inName(SyntaxExpression, Name)
    case heldFor(SyntaxExpression, QuantityLiteral, tolerate: QuantityLiteral?)
    case inLast(SyntaxExpression, QuantityLiteral)
    case parenthesised(SyntaxExpression)
    /// Something that could not be read; it has been reported.
    case missing
  }

  public var kind: Kind
  public var span: SourceSpan
}
