/// A budget: `budget trail = 1500 J per day from 04:00 on gps { at 80 % { downgrade gps to 50 m } }`.
public struct BudgetItem: Hashable, Sendable {
  /// Directives that apply as soon as a certain share of the budget is used.
  public struct Step: Hashable, Sendable {
    /// The used share of the budget at which the step begins to apply, as a ratio.
    public var share: QuantityLiteral
    /// The directives of the step.
    public var body: [SyntaxStatement]
    /// The range in the source.
    public var span: SourceSpan
  }

  /// The declared name.
  public var name: Name
  /// The energy per period.
  public var amount: QuantityLiteral
  /// The word for the period: `hour`, `day` or `week`.
  public var period: Name
  /// The time at which the period begins. Nil means midnight for a day, the midnight at which Monday begins
  /// for a week, and the full hour for an hour.
  public var from: ClockLiteral?
  /// The devices whose energy counts.
  public var target: SyntaxTarget
  /// The steps in order of the file.
  public var steps: [Step]
  /// True when the head or the braces have a syntax error, which has been reported.
  public var isBroken: Bool
  /// The range in the source.
  public var span: SourceSpan
}
