public import StintMachine
public import StintUnits

/// The truth value of a condition with its reason.
public struct Explanation: Hashable, Sendable {
  /// The current truth value.
  public var truth: Truth
  /// The next change, as a sentence without a full stop. For a true condition, the change that would end it;
  /// for any other condition, the change that would make it true.
  public var sentence: String
  /// The instant at which the truth value changes if no fact changes. Nil when there is no such change or its
  /// instant is unknown.
  public var changesAt: Instant?
}
