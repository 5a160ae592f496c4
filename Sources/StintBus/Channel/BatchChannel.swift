public import StintModel

/// The producer's end of a bounded queue of batches with one consumer.
///
/// The consumer is either the task that reads `stream()`, or the code that calls `drainAll()` after `onReady`.
/// May be used from any thread; copies are the same channel.
public struct BatchChannel: Sendable {
  private let storage: ChannelStorage
  public let policy: OverflowPolicy

  /// Makes an empty channel.
  ///
  /// - Parameters:
  ///   - policy: the bound, and what happens at it; its capacity is at least 1.
  ///   - onReady: called when a batch begins to wait in an empty channel, and when the channel is finished;
  ///     on the producer's thread. It must not block.
  ///   - onAwait: called when the consumer begins to wait for a batch; on the consumer's thread. It must not block.
  ///   - onTermination: called once, when the last batch of a finished channel was taken, or when the
  ///     consumer dropped its stream or was cancelled; on the thread on which that happens. It must not
  ///     block.
  public init(
    _ policy: OverflowPolicy, onReady: (@Sendable () -> Void)? = nil,
    onAwait: (@Sendable () -> Void)? = nil, onTermination: (@Sendable (ChannelEnd) -> Void)? = nil
  ) {
    self.policy = policy
    storage = ChannelStorage(
      policy: policy, onReady: onReady, onAwait: onAwait, onTermination: onTermination)
  }

  /// Offers a batch and never waits.
  public func offer(_ batch: Batch) -> OfferResult { storage.offer(batch) }

  /// Offers a batch and, where the policy is to hold, waits until there is room.
  ///
  /// Never returns `full`. Cancelling the task ends the wait with `cancelled`.
  public func send(_ batch: Batch, isolation: isolated (any Actor)? = #isolation) async -> OfferResult {
    await storage.send(batch, isolation: isolation)
  }

  /// Says that nothing more will come, and why if it is a failure; what waits is still delivered.
  ///
  /// Only the first call counts.
  public func finish(throwing failure: ClientFailure? = nil) { storage.finish(with: failure) }

  /// Says that nothing more may be read, and why; what waits is discarded and counted.
  ///
  /// Does nothing once the channel has ended.
  public func revoke(throwing failure: ClientFailure) { storage.revoke(with: failure) }

  /// Everything that waits, oldest first, without waiting.
  public func drainAll() -> [Batch] {
    var batches: [Batch] = []
    storage.drainAll(into: &batches)
    return batches
  }

  /// Appends everything that waits to a list that the caller reuses, so that nothing is allocated.
  public func drainAll(into batches: inout [Batch]) { storage.drainAll(into: &batches) }

  /// The consumer's end, for one task.
  ///
  /// - Precondition: it was not taken before.
  public func stream() -> BatchStream {
    storage.claimStream()
    return BatchStream(lease: ConsumerLease(storage: storage))
  }

  /// Whether the consumer waits for a batch: false from the offer of one until the consumer waits for the next.
  public var isAwaited: Bool { storage.isAwaited }
  /// Whether an offer would be accepted now. With one producer, a yes stays true until its next offer.
  public var hasRoom: Bool { storage.hasRoom }
  /// Whether an offer would be refused now because there is no room. With one producer, a no stays true until its
  /// next offer.
  var isHolding: Bool { policy.mayHold && storage.isHolding }
  /// How the channel ended; nil while something may still be taken.
  public var end: ChannelEnd? { storage.end }
  /// What went through, and what was lost where.
  public var counts: ChannelCounts { storage.counts }
  /// What was lost because the consumer was slow.
  public var lost: Tally { storage.counts.overflowed }
}
