public import StintUnits

/// One reader of a world; it moves forward only.
public protocol WorldView {
  /// The truth at an instant that is not before any that was asked for earlier.
  mutating func state(at instant: Instant) -> WorldState

  /// The first instant after this one at which activity, sky or Wi-Fi may be another; nil when they stay for
  /// ever. Until then they are as `state(at:)` says.
  mutating func nextCoverageChange(after instant: Instant) -> Instant?
}
