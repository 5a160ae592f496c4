import StintUnits

/// A count of the published values and samples of a device that were outside the ranges of its manifest. The
/// port does not forward them.
public struct DroppedReadings: Hashable, Sendable {
  /// The number of dropped values of facts and dropped samples.
  public private(set) var count = 0
  /// The reason for the last drop, as a sentence without a full stop; empty when nothing was dropped.
  public private(set) var lastReason = ""

  /// Makes a count of 0.
  public init() {}

  mutating func note(_ reason: String) {
    count = count.addingSaturated(1)
    lastReason = reason
  }
}
