public import StintModel
public import StintUnits

/// A delivery that needed no wake-up of its own.
public struct PiggybackRecord: Hashable, Sendable {
  /// The instant of the delivery.
  public var at: Instant
  /// The cause for which the processor was awake.
  public var with: Cause?
}
