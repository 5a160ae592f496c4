/// A rule as it is written.
public struct RuleItem: Hashable, Sendable {
  public var name: Name
  public var note: StringLiteral?
  /// `pack`, `other-policy/pack`.
  public var overrides: [Name]
  public var trigger: SyntaxTrigger
  public var body: [SyntaxStatement]
  /// True when the head or the braces could not be read; that has been reported.
  public var isBroken: Bool
  public var span: SourceSpan
}

/// When a rule acts.
public enum SyntaxTrigger: Hashable, Sendable {
  case always(SourceSpan)
  case whilst(SyntaxExpression)
  case when(SyntaxExpression, atMost: QuantityLiteral?)
  case every(QuantityLiteral, flex: QuantityLiteral?, condition: SyntaxExpression?)
}

/// A directive or an act in the body of a rule.
public struct SyntaxStatement: Hashable, Sendable {
  /// What it says.
  public enum Kind: Hashable, Sendable {
    case start(SyntaxTarget, client: StringLiteral?, settings: [SettingEntry])
    case stop(SyntaxTarget, exceptions: [StringLiteral])
    case pause(SyntaxTarget)
    case downgrade(SyntaxTarget, to: SyntaxValue)
    case batch(SyntaxTarget, bounds: [SyntaxValue])
    case `defer`(SyntaxTarget, until: SyntaxExpression?, deadline: QuantityLiteral?)
    case watch(Name, on: SyntaxTarget)
    case fix(SyntaxTarget, accuracy: QuantityLiteral, timeout: QuantityLiteral)
    case flush(SyntaxTarget)
    case emit(StringLiteral)
    case tell(StringLiteral, StringLiteral)
    case launch(StringLiteral)
  }

  public var kind: Kind
  /// The verb.
  public var verb: Name
  public var ending: SyntaxEnding?
  public var span: SourceSpan
}

/// `for 5 min doubling to 1 h at most 8 times`.
public struct SyntaxEnding: Hashable, Sendable {
  public var duration: QuantityLiteral
  public var doublingTo: QuantityLiteral?
  public var atMost: NumberLiteral?
  public var span: SourceSpan
}

/// The devices that a directive is about.
public struct SyntaxTarget: Hashable, Sendable {
  /// One or more names; `all` is a name.
  public var names: [Name]
  /// Whether they stand in brackets.
  public var isList: Bool
  public var span: SourceSpan
}
