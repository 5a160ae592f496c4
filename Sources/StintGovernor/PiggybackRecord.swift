public import StintModel
public import StintUnits

/// A hand-over that needed no wake of its own.
public struct PiggybackRecord: Hashable, Sendable {
  public var at: Instant
  /// Whom the processor was up for.
  public var with: Cause?
}
