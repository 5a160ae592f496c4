public import StintUnits

/// What a subscriber got, how much, and how old it was.
public struct SubscriberStatistics: Hashable, Sendable {
  /// What went through its channel, and what was lost there.
  public var counts: ChannelCounts
  /// Samples that were left out because it wants fewer.
  public var thinned: Int
  /// Samples that are gathered and not handed over yet.
  public var gathered: Int
  /// The longest time from a sample to the hand-over of its batch.
  public var longestLatency: TimeSpan
  /// The sum of that time over all samples; divided by `delivered` it is the mean.
  public var totalLatency: TimeSpan
  /// Samples that were handed over to its channel.
  public var delivered: Int
  /// The first and the last sample that was handed over; nil before.
  public var between: ClosedRange<Instant>?

  /// The mean time from a sample to its hand-over; nil before the first.
  public var meanLatency: TimeSpan? {
    delivered > 0 ? TimeSpan(nanoseconds: totalLatency.nanoseconds / Int64(delivered)) : nil
  }

  /// Samples a second; nil before the second.
  public var rate: Double? {
    guard delivered > 1, let between, between.lowerBound < between.upperBound else { return nil }
    return Double(delivered - 1) / (between.upperBound - between.lowerBound).seconds
  }
}
