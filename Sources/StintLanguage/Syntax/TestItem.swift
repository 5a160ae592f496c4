/// `test "rests when still" { given … at 10 min set … expect … }`.
public struct TestItem: Hashable, Sendable {
  public var title: StringLiteral
  public var steps: [TestStep]
  /// True when the head or the braces could not be read; that has been reported.
  public var isBroken: Bool
  public var span: SourceSpan
}

/// A line of a test.
public struct TestStep: Hashable, Sendable {
  /// What it says.
  public enum Kind: Hashable, Sendable {
    /// What the facts are when the test begins.
    case given([Assignment])
    case at(QuantityLiteral, Event)
    case expect(SyntaxExpression, Moment?, because: Name?)
  }

  /// What happens at an instant.
  public enum Event: Hashable, Sendable {
    case set([Assignment])
    /// A client begins to ask for something: of the policy's first device when none is named.
    case attach(StringLiteral, device: Name?, settings: [SettingEntry])
    case detach(StringLiteral)
    case reload
    /// None of these; that has been reported.
    case missing
  }

  /// When something is expected.
  public enum Moment: Hashable, Sendable {
    /// At this instant.
    case at(QuantityLiteral)
    /// At some instant up to this one.
    case by(QuantityLiteral)

    public var literal: QuantityLiteral {
      switch self {
      case .at(let literal), .by(let literal): literal
      }
    }
  }

  /// `battery.level = 80 %`.
  public struct Assignment: Hashable, Sendable {
    public var path: Name
    public var value: SyntaxValue
  }

  public var kind: Kind
  public var span: SourceSpan
}
