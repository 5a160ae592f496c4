public import StintLanguage
public import StintModel
public import StintUnits

/// The result of one run of a test.
public struct TestOutcome: Hashable, Sendable {
  /// The reason why an expectation was not met.
  public enum Failure: Hashable, Sendable {
    /// The condition was never true in the expected period. `isUnknown` is true when the last value of the
    /// condition was unknown.
    case notTrue(isUnknown: Bool)
    /// The condition was true, but the named rule was not its cause; these rules were in force.
    case notBecause(RuleID, inForce: [RuleID])
  }

  /// An expectation that was not met.
  public struct FailedExpectation: Hashable, Sendable {
    /// The expectation in the test.
    public var expectation: CheckedTest.Expectation
    /// The reason why the expectation was not met.
    public var failure: Failure
    /// The events up to the failure that are relevant to the expectation, oldest first.
    public var timeline: [Entry]
  }

  /// An event of a test.
  public struct Entry: Hashable, Sendable {
    /// The time since the start of the test.
    public var at: TimeSpan
    /// The description of the event.
    public var text: String
  }

  /// The test that ran.
  public var test: CheckedTest
  /// The expectations that were not met.
  public var misses: [FailedExpectation]
  /// Violated requirements, with their times.
  public var violations: [Entry]
  /// Requests, inputs and settings that were refused; at most 20.
  public var refusals: [String]
  /// Rules that were in force at some instant, or acted.
  public var rulesInForce: Set<RuleID>
  /// The values of each watched condition, by index.
  public var truths: [Truths]

  /// The values that a condition had during a test.
  public struct Truths: Hashable, Sendable {
    /// True when the condition was true at some instant.
    public var wasTrue = false
    /// True when the condition was false at some instant.
    public var wasFalse = false
  }

  /// True when all expectations were met, no requirement was violated and no request, input or setting was
  /// refused.
  public var hasPassed: Bool { misses.isEmpty && violations.isEmpty && refusals.isEmpty }
}
