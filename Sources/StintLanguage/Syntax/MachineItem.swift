/// `machine trip starts parked { state parked { goto riding when … } … }`.
public struct MachineItem: Hashable, Sendable {
  /// What holds in a state, and what leads out of it.
  public struct State: Hashable, Sendable {
    public var name: Name
    public var body: [Statement]
    public var span: SourceSpan
  }

  /// A line in a state.
  public enum Statement: Hashable, Sendable {
    /// In force while the machine is in the state.
    case directive(SyntaxStatement)
    /// A rule that acts only while the machine is in the state.
    case rule(RuleItem)
    case goto(Goto)

    public var span: SourceSpan {
      switch self {
      case .directive(let statement): statement.span
      case .rule(let rule): rule.span
      case .goto(let goto): goto.span
      }
    }
  }

  /// `goto riding when motion.activity is cycling`.
  public struct Goto: Hashable, Sendable {
    public var target: Name
    public var condition: SyntaxExpression
    public var span: SourceSpan
  }

  public var name: Name
  /// The state in which the machine begins.
  public var initial: Name
  public var states: [State]
  /// True when the head or the braces could not be read; that has been reported.
  public var isBroken: Bool
  public var span: SourceSpan
}
