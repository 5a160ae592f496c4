/// A test of a policy: `test "off after 4 min at rest" { given … at 10 min set … expect … }`.
public struct TestItem: Hashable, Sendable {
  /// The title of the test.
  public var title: StringLiteral
  /// The steps in the order of the file.
  public var steps: [TestStep]
  /// True when the head or the braces have a syntax error, which has been reported.
  public var isBroken: Bool
  /// The range in the source.
  public var span: SourceSpan
}

/// A step of a test.
public struct TestStep: Hashable, Sendable {
  /// The kind of a step.
  public enum Kind: Hashable, Sendable {
    /// The values of facts at the beginning of the test.
    case given([Assignment])
    case at(QuantityLiteral, Event)
    case expect(SyntaxExpression, Moment?, because: Name?)
  }

  /// An event at an instant of the test.
  public enum Event: Hashable, Sendable {
    case set([Assignment])
    /// A client raises a demand, on the policy's first device when the step contains no device.
    case attach(StringLiteral, device: Name?, settings: [SettingEntry])
    case detach(StringLiteral)
    case reload
    /// An event with a syntax error, which has been reported.
    case missing
  }

  /// The time of an expectation.
  public enum Moment: Hashable, Sendable {
    /// The condition must be true at this instant.
    case at(QuantityLiteral)
    /// The condition must become true at or before this instant.
    case by(QuantityLiteral)

    /// The time since the beginning of the test.
    public var literal: QuantityLiteral {
      switch self {
      case .at(let literal), .by(let literal): literal
      }
    }
  }

  /// A new value of a fact: `battery.level = 80 %`.
  public struct Assignment: Hashable, Sendable {
    /// The path of the fact.
    public var path: Name
    /// The new value.
    public var value: SyntaxValue
  }

  /// The kind of the step.
  public var kind: Kind
  /// The range in the source.
  public var span: SourceSpan
}
