/// The counts of batches and samples that went through a channel or were lost in it.
///
/// Invariant: accepted = delivered + overflowed + discarded + queued.
public struct ChannelCounts: Hashable, Sendable {
  /// Accepted from producers. Excludes batches whose offer returned `closed`.
  public var accepted = Tally.none
  /// Delivered to the consumer.
  public var delivered = Tally.none
  /// Dropped because the channel was full and its policy drops batches.
  public var overflowed = Tally.none
  /// Discarded from the queue because the consumer left or lost its right to read.
  public var discarded = Tally.none

  /// Creates counts that are all zero.
  public init() {}
}
