public import StintMachine
public import StintUnits

/// The truth value of a condition with its reason.
public struct Explanation: Hashable, Sendable {
  /// The current truth value.
  public var truth: Truth
  /// The change that the condition still needs or, if it is true, that would end it; without a full stop.
  public var sentence: String
  /// The instant at which the truth value changes if no fact changes. Nil when it would not change or the
  /// instant is unknown.
  public var changesAt: Instant?

  /// Creates an explanation.
  public init(truth: Truth, sentence: String, changesAt: Instant? = nil) {
    self.truth = truth
    self.sentence = sentence
    self.changesAt = changesAt
  }
}
