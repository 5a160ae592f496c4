public import StintModel
public import StintUnits

/// A test block whose names, types and times have been checked.
public struct CheckedTest: Hashable, Sendable {
  /// An event of a test.
  public struct Event: Hashable, Sendable {
    /// The time of the event, since the beginning of the test.
    public var at: TimeSpan
    /// The kind of the event.
    public var kind: Kind
    /// The position of the event in its file.
    public var span: SourceSpan
  }

  /// The kind of an event.
  public enum Kind: Hashable, Sendable {
    /// Facts get values that they keep, even when devices publish other values.
    case set([Assignment])
    /// A client raises a demand on a device.
    case attach(ClientID, DeviceID, DemandSettings)
    /// All demands of the client end.
    case detach(ClientID)
    /// The policies are reloaded.
    case reload
  }

  /// A published fact and its value.
  public struct Assignment: Hashable, Sendable {
    /// The path of the fact.
    public var path: String
    /// The value, in base units.
    public var value: FactValue
  }

  /// A condition that must be true at one instant, or at least once within an interval.
  public struct Expectation: Hashable, Sendable {
    /// The condition that must be true.
    public var condition: CheckedExpression
    /// The first instant at which the condition is tested, since the beginning of the test. Equal to `until`
    /// for a single instant.
    public var from: TimeSpan
    /// The last instant at which the condition is tested, since the beginning of the test.
    public var until: TimeSpan
    /// The rule that must be in force when the condition is true. The id may also name a budget or a state
    /// machine; then one rule of this budget or machine must be in force. Nil when no rule is named.
    public var because: RuleID?
    /// The position of the expectation in its file.
    public var span: SourceSpan
  }

  /// The title of the test.
  public var title: String
  /// The name of the policy that contains the test.
  public var policy: String
  /// The events in ascending order of time. The facts of `given` come first, at 0.
  public var events: [Event]
  /// The expectations, in file order.
  public var expectations: [Expectation]
  /// The missing devices without which the test cannot pass, in ascending order. A test with missing devices
  /// is skipped.
  public var missingDevices: [String] = []
  /// The position of the test's title in its file.
  public var span: SourceSpan

  /// The time of the last event or expectation.
  public var end: TimeSpan {
    max(events.map(\.at).max() ?? .zero, expectations.map(\.until).max() ?? .zero)
  }
}
