/// What has gone through a channel, and what it lost.
///
/// Always: accepted = delivered + overflowed + discarded + what waits at this moment.
public struct ChannelCounts: Hashable, Sendable {
  /// Taken from producers; a batch that a producer had to keep is not in it.
  public var accepted = Tally.none
  /// Handed to the consumer.
  public var delivered = Tally.none
  /// Lost because the consumer was slow and the policy is to lose.
  public var overflowed = Tally.none
  /// Waiting when the consumer left.
  public var discarded = Tally.none

  /// Counts nothing yet.
  public init() {}
}
