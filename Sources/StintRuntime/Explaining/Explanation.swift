public import StintMachine
public import StintUnits

/// Why a condition is what it is.
public struct Explanation: Hashable, Sendable {
  public var truth: Truth
  /// What keeps it from being otherwise, or what it rests on; without a full stop.
  public var sentence: String
  /// When it changes by itself if no fact does; nil when it would not, or when that is unknown.
  public var changesAt: Instant?

  /// Makes an explanation.
  public init(truth: Truth, sentence: String, changesAt: Instant? = nil) {
    self.truth = truth
    self.sentence = sentence
    self.changesAt = changesAt
  }
}
