public import StintLanguage
public import StintModel
public import StintUnits

/// What came of one run of a test.
public struct TestOutcome: Hashable, Sendable {
  /// Why an expectation was not met.
  public enum Failure: Hashable, Sendable {
    /// It was false, or unknown, at the instant or up to it.
    case notTrue(isUnknown: Bool)
    /// It was true, but not because of the rule: these were in force.
    case notBecause(RuleID, inForce: [RuleID])
  }

  /// An expectation that was not met.
  public struct FailedExpectation: Hashable, Sendable {
    public var expectation: CheckedTest.Expectation
    public var failure: Failure
    /// What happened up to then, as far as it concerns the expectation.
    public var timeline: [Entry]
  }

  /// Something that happened.
  public struct Entry: Hashable, Sendable {
    public var at: TimeSpan
    public var text: String
  }

  public var test: CheckedTest
  public var misses: [FailedExpectation]
  /// Requirements that were broken, with the instant.
  public var violations: [Entry]
  /// What the governor or a device refused.
  public var refusals: [String]
  /// Rules that were in force at some instant.
  public var rulesHeld: Set<RuleID>
  /// By watched condition: whether it was true, and whether it was false, at some instant.
  public var truths: [Truths]

  /// What a condition was during a test.
  public struct Truths: Hashable, Sendable {
    public var wasTrue = false
    public var wasFalse = false
  }

  public var hasPassed: Bool { misses.isEmpty && violations.isEmpty && refusals.isEmpty }
}
