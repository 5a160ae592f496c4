/// A rule in the syntax tree.
public struct RuleItem: Hashable, Sendable {
  /// The declared name.
  public var name: Name
  /// The author's reason for the rule, for reports; nil when the rule has no reason.
  public var note: StringLiteral?
  /// The rules after `over`, such as `pack` or `other-policy/pack`.
  public var overrides: [Name]
  /// The condition or time that activates the rule.
  public var trigger: SyntaxTrigger
  /// The directives and actions in order of the file.
  public var body: [SyntaxStatement]
  /// True when the head or the braces have a syntax error, which has been reported.
  public var isBroken: Bool
  /// The range in the source.
  public var span: SourceSpan
}

/// The condition or time that activates a rule.
public enum SyntaxTrigger: Hashable, Sendable {
  case always(SourceSpan)
  case whilst(SyntaxExpression)
  case when(SyntaxExpression, atMost: QuantityLiteral?)
  case every(QuantityLiteral, flex: QuantityLiteral?, condition: SyntaxExpression?)
}

/// A directive or a one-time action in the body of a rule.
public struct SyntaxStatement: Hashable, Sendable {
  /// The verb with its operands.
  public enum Kind: Hashable, Sendable {
    case start(SyntaxTarget, client: StringLiteral?, settings: [SettingEntry])
    case stop(SyntaxTarget, exceptions: [StringLiteral])
    case pause(SyntaxTarget)
    case downgrade(SyntaxTarget, to: SyntaxCeiling)
    case batch(SyntaxTarget, bounds: [SyntaxValue])
    case `defer`(SyntaxTarget, until: SyntaxExpression?, deadline: QuantityLiteral?)
    case watch(Name, on: SyntaxTarget)
    case fix(SyntaxTarget, accuracy: QuantityLiteral, timeout: QuantityLiteral)
    case flush(SyntaxTarget)
    case emit(StringLiteral)
    case tell(StringLiteral, StringLiteral)
    case launch(StringLiteral)
  }

  /// The verb with its operands.
  public var kind: Kind
  /// The word of the verb.
  public var verb: Name
  /// The duration of the directive; nil without `for`.
  public var ending: SyntaxEnding?
  /// The range in the source.
  public var span: SourceSpan
}

/// The most expensive settings that are permitted by a downgrade.
public enum SyntaxCeiling: Hashable, Sendable {
  /// An accuracy or a rate.
  case value(SyntaxValue)
  /// Values of attributes: `{ gain low }`.
  case settings([SettingEntry])
}

/// The duration of a directive: `for 5 min doubling to 1 h at most 8 times`.
public struct SyntaxEnding: Hashable, Sendable {
  /// The first duration.
  public var duration: QuantityLiteral
  /// The ceiling of the doubling; nil when the duration is constant.
  public var doublingTo: QuantityLiteral?
  /// The maximum number of activations; nil without a limit.
  public var atMost: NumberLiteral?
  /// The range in the source.
  public var span: SourceSpan
}

/// The target devices of a directive.
public struct SyntaxTarget: Hashable, Sendable {
  /// One or more names; `all` is also a name.
  public var names: [Name]
  /// True when the names are in brackets.
  public var isList: Bool
  /// The range in the source.
  public var span: SourceSpan
}
