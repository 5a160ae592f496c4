public import StintUnits

/// The counts, the rate and the latency of the samples that a subscriber received.
public struct SubscriberStatistics: Hashable, Sendable {
  /// The counts of the subscriber's channel.
  public var counts: ChannelCounts
  /// The number of samples left out because the subscriber requested a lower rate.
  public var thinned: Int
  /// The number of samples that are collected for the next batch and not delivered yet.
  public var gathered: Int
  /// The longest time between a sample and the delivery of its batch.
  public var longestLatency: TimeSpan
  /// The sum of the latencies of all samples. The mean is this sum divided by `delivered`.
  public var totalLatency: TimeSpan
  /// The number of samples delivered to the subscriber's channel.
  public var delivered: Int
  /// The instants of the first and the last delivered sample; nil before the first delivery.
  public var between: ClosedRange<Instant>?

  /// The mean latency of a sample; nil before the first delivery.
  public var meanLatency: TimeSpan? {
    delivered > 0 ? TimeSpan(nanoseconds: totalLatency.nanoseconds / Int64(delivered)) : nil
  }

  /// The mean number of samples per second; nil before the second sample.
  public var rate: Double? {
    guard delivered > 1, let between, between.lowerBound < between.upperBound else { return nil }
    return Double(delivered - 1) / (between.upperBound - between.lowerBound).seconds
  }
}
