/// `require wakeups(gps) <= 60 per h`.
public struct RequireItem: Hashable, Sendable {
  public var condition: SyntaxExpression
  public var span: SourceSpan
}
