public import StintMachine
public import StintUnits

/// The truth value of a condition with its reason.
public struct Explanation: Hashable, Sendable {
  /// The current truth value.
  public var truth: Truth
  /// The change that would end a true condition, or the change that any other condition still needs. A
  /// sentence without a full stop.
  public var sentence: String
  /// The instant at which the truth value changes if no fact changes. Nil when there is no such change or its
  /// instant is unknown.
  public var changesAt: Instant?

  /// Creates an explanation.
  public init(truth: Truth, sentence: String, changesAt: Instant? = nil) {
    self.truth = truth
    self.sentence = sentence
    self.changesAt = changesAt
  }
}
