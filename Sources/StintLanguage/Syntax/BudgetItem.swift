/// `budget trail = 1500 J per day from 04:00 on gps { at 80 % { downgrade gps to 50 m } }`.
public struct BudgetItem: Hashable, Sendable {
  /// What holds from a part of the budget on.
  public struct Step: Hashable, Sendable {
    public var share: QuantityLiteral
    public var body: [SyntaxStatement]
    public var span: SourceSpan
  }

  public var name: Name
  public var amount: QuantityLiteral
  /// `hour`, `day` or `week`.
  public var period: Name
  /// When the period begins; midnight, and Monday's for a week, when nothing is said.
  public var from: ClockLiteral?
  public var target: SyntaxTarget
  public var steps: [Step]
  /// True when the head or the braces could not be read; that has been reported.
  public var isBroken: Bool
  public var span: SourceSpan
}
