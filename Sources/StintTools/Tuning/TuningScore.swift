public import StintUnits

/// The energy and the quality of a parameter set, on one track or summed over several.
public struct TuningScore: Hashable, Sendable {
  /// The total energy, including sensors and processor.
  public var energy = Energy.zero
  /// The energy that devices draw without a demand. Policies cannot change the floor power of a device.
  public var floor = Energy.zero
  /// The number of whole seconds in which a client demanded positions, counted for each demand.
  public var seconds = 0
  /// The number of these seconds in which the last delivered position was within the accepted error.
  public var goodSeconds = 0
  /// The sum of the position errors over all seconds with a position, in metres.
  public var errorSum = 0.0
  /// The number of seconds with a position.
  public var errorSeconds = 0
  /// The number of transfers, including those that missed their deadline without running.
  public var transfers = 0
  /// The number of transfers that missed their deadline, including those that never ran.
  public var lateTransfers = 0

  /// Creates an empty score.
  public init() {}

  /// The energy above the floor.
  public var spent: Energy { energy - floor }

  /// The quality, 0 to 1: the share of seconds with a sufficiently accurate position. Without position
  /// demands, the share of transfers in time; 1 without transfers.
  public var quality: Double {
    if seconds > 0 { return Double(goodSeconds) / Double(seconds) }
    return transfers == 0 ? 1 : 1 - Double(lateTransfers) / Double(transfers)
  }

  /// The mean error of the last delivered position over time, in metres; nil without a position.
  public var meanError: Double? { errorSeconds == 0 ? nil : errorSum / Double(errorSeconds) }

  /// True when there is at least one second or transfer from which the quality can be computed.
  public var isJudged: Bool { seconds > 0 || transfers > 0 }

  /// Returns whether this score is better than `other`. A better score is at least as good in energy and in
  /// quality, and better in at least one of the two.
  public func isBetter(_ other: TuningScore) -> Bool {
    energy <= other.energy && quality >= other.quality
      && (energy < other.energy || quality > other.quality)
  }

  /// Returns whether both scores have equal energy and quality.
  public func equals(_ other: TuningScore) -> Bool {
    energy == other.energy && quality == other.quality
  }

  /// Returns the sum of scores over tracks.
  public static func sum(_ scores: [TuningScore]) -> TuningScore {
    scores.reduce(into: TuningScore()) { sum, score in
      sum.energy += score.energy
      sum.floor += score.floor
      sum.seconds += score.seconds
      sum.goodSeconds += score.goodSeconds
      sum.errorSum += score.errorSum
      sum.errorSeconds += score.errorSeconds
      sum.transfers += score.transfers
      sum.lateTransfers += score.lateTransfers
    }
  }
}
