public import StintModel
public import StintUnits

/// A test block whose names, types and times have been checked.
public struct CheckedTest: Hashable, Sendable {
  /// Something that happens at a time since the test's beginning.
  public struct Event: Hashable, Sendable {
    public var at: TimeSpan
    public var kind: Kind
    public var span: SourceSpan
  }

  /// What happens.
  public enum Kind: Hashable, Sendable {
    /// Facts take values and keep them, whatever devices say.
    case set([Assignment])
    /// A client begins to ask a device for something.
    case attach(ClientID, DeviceID, DemandSettings)
    /// Everything that the client asks for ends.
    case detach(ClientID)
    /// The policies are reloaded.
    case reload
  }

  /// A published fact and its value.
  public struct Assignment: Hashable, Sendable {
    public var path: String
    public var value: FactValue
  }

  /// Something that must be true.
  public struct Expectation: Hashable, Sendable {
    public var condition: CheckedExpression
    /// The first instant that counts; the same as `until` when one instant is meant.
    public var from: TimeSpan
    public var until: TimeSpan
    /// A rule that must be in force then, or a budget or machine state one of whose rules must be.
    public var because: RuleID?
    public var span: SourceSpan
  }

  public var title: String
  /// Of the policy that holds the test.
  public var policy: String
  /// In the order of time; what is given stands first, at 0.
  public var events: [Event]
  /// In the order of the file.
  public var expectations: [Expectation]
  public var span: SourceSpan

  /// When nothing is expected any more.
  public var end: TimeSpan {
    max(events.map(\.at).max() ?? .zero, expectations.map(\.until).max() ?? .zero)
  }
}
