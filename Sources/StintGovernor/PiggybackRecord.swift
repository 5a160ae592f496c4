public import StintModel
public import StintUnits

/// A delivery that caused no wake-up, because the processor was already awake.
public struct PiggybackRecord: Hashable, Sendable {
  /// The instant of the delivery.
  public var at: Instant
  /// The cause for which the processor was awake; nil when it is unknown.
  public var with: Cause?
}
