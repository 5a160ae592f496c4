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
}
