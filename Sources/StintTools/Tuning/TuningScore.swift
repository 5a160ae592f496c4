public import StintUnits

/// What a setting of the parameters costs and how good it is, on one track or summed over several.
public struct TuningScore: Hashable, Sendable {
  /// Everything that was drawn, sensing and processor included.
  public var energy = Energy.zero
  /// The energy that devices drew without a demand; on a phone at rest no policy changes it.
  public var floor = Energy.zero
  /// Whole seconds in which a client wanted its position, and those in which the last that it had been handed
  /// was as good as it asked.
  public var seconds = 0
  public var goodSeconds = 0
  /// The sum over the seconds with a position of how far it was from the truth, in metres, and their number.
  public var errorSum = 0.0
  public var errorSeconds = 0
  /// Transfers that were carried or should have been, and those that were late.
  public var transfers = 0
  public var lateTransfers = 0

  /// Nothing yet.
  public init() {}

  /// The energy above the floor.
  public var spent: Energy { energy - floor }

  /// The share of the time in which the last position handed over was as good as asked, where any are asked for;
  /// else of transfers in time.
  public var quality: Double {
    if seconds > 0 { return Double(goodSeconds) / Double(seconds) }
    return transfers == 0 ? 1 : 1 - Double(lateTransfers) / Double(transfers)
  }

  /// How far the last position handed over was from the truth, in metres, on average over time; nil without any.
  public var meanError: Double? { errorSeconds == 0 ? nil : errorSum / Double(errorSeconds) }

  /// Whether there was anything to be good at.
  public var isJudged: Bool { seconds > 0 || transfers > 0 }

  /// Whether this costs no more and is no worse, and is better in one of the two.
  public func isBetter(_ other: TuningScore) -> Bool {
    energy <= other.energy && quality >= other.quality
      && (energy < other.energy || quality > other.quality)
  }

  /// Whether both have equal energy and quality.
  public func equals(_ other: TuningScore) -> Bool {
    energy == other.energy && quality == other.quality
  }

  /// The sum over tracks.
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
