/// A requirement: `require wakeups(gps) <= 60 per h`.
public struct RequireItem: Hashable, Sendable {
  /// The condition that must always be true.
  public var condition: SyntaxExpression
  /// The range in the source.
  public var span: SourceSpan
}
