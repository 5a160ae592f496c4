/// A state machine: `machine trip starts parked { state parked { goto riding when … } … }`.
public struct MachineItem: Hashable, Sendable {
  /// A state with its directives, rules and gotos.
  public struct State: Hashable, Sendable {
    /// The declared name.
    public var name: Name
    /// The statements in order of the file.
    public var body: [Statement]
    /// The range in the source.
    public var span: SourceSpan
  }

  /// A statement of a state.
  public enum Statement: Hashable, Sendable {
    /// A directive that is in force while the machine is in the state.
    case directive(SyntaxStatement)
    /// A rule that is active only while the machine is in the state.
    case rule(RuleItem)
    case goto(Goto)

    /// The range in the source.
    public var span: SourceSpan {
      switch self {
      case .directive(let statement): statement.span
      case .rule(let rule): rule.span
      case .goto(let goto): goto.span
      }
    }
  }

  /// A transition to another state: `goto riding when motion.activity is cycling`.
  public struct Goto: Hashable, Sendable {
    /// The name of the next state.
    public var target: Name
    /// The condition of the transition.
    public var condition: SyntaxExpression
    /// The range in the source.
    public var span: SourceSpan
  }

  /// The declared name.
  public var name: Name
  /// The initial state of the machine.
  public var initial: Name
  /// The states in order of the file.
  public var states: [State]
  /// True when the head or the braces have a syntax error, which has been reported.
  public var isBroken: Bool
  /// The range in the source.
  public var span: SourceSpan
}
