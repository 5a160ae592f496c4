public import StintModel
public import StintUnits

/// A bounded queue of batches with one consumer. Producers offer batches to it.
///
/// The consumer is either the task that reads `stream()`, or the code that calls `drainAll()` after
/// `onReady`. A channel may be used from any thread. All copies refer to one channel.
public struct BatchChannel: Sendable {
  private let storage: ChannelStorage<Batch>
  /// The capacity, and the behaviour when the channel is full.
  public let policy: OverflowPolicy

  /// Creates an empty channel.
  ///
  /// - Parameters:
  ///   - policy: the capacity, at least 1, and the behaviour when the channel is full.
  ///   - onReady: called when a batch is added to an empty channel, and when the channel is finished or
  ///     revoked; on the producer's thread. It must not block.
  ///   - onAwait: called when the consumer starts to wait for a batch; on the consumer's thread. It must not
  ///     block.
  ///   - onTermination: called once, when `end` becomes non-nil; on the thread on which that happens. It must
  ///     not block.
  public init(
    _ policy: OverflowPolicy, onReady: (@Sendable () -> Void)? = nil,
    onAwait: (@Sendable () -> Void)? = nil, onTermination: (@Sendable (ChannelEnd) -> Void)? = nil
  ) {
    self.policy = policy
    storage = ChannelStorage(
      policy: policy, onReady: onReady, onAwait: onAwait, onTermination: onTermination)
  }

  /// Offers a batch without waiting.
  public func offer(_ batch: Batch) -> OfferResult { storage.offer(batch) }

  /// Ends the channel, with or without a failure. Queued batches are still delivered.
  ///
  /// Only the first call has an effect.
  public func finish(throwing failure: Problem? = nil) { storage.finish(with: failure) }

  /// Ends the channel with a failure. Queued batches are discarded and counted.
  ///
  /// Does nothing when the channel has already ended.
  public func revoke(throwing failure: Problem) { storage.revoke(with: failure) }

  /// Ends the current or the next wait of `nextStep`, so that the consumer can check its other inputs.
  public func interrupt() { storage.interrupt() }

  /// Removes and returns all queued batches, oldest first, without waiting.
  public func drainAll() -> [Batch] {
    var batches: [Batch] = []
    storage.drainAll(into: &batches)
    return batches
  }

  /// Removes all queued batches and appends them to an array. A reused array avoids allocations.
  public func drainAll(into batches: inout [Batch]) { storage.drainAll(into: &batches) }

  /// Returns the consumer side, for one task.
  ///
  /// - Precondition: this is the first call for the channel.
  public func stream() -> BatchStream {
    storage.claimStream()
    return BatchStream(lease: ConsumerLease(storage: storage))
  }

  /// True while the consumer waits for a batch. Becomes false as soon as a batch is offered, even before the
  /// task of the consumer resumes.
  public var isAwaited: Bool { storage.isAwaited }
  /// The reason for the end of the channel; nil while the channel is open or contains queued batches.
  public var end: ChannelEnd? { storage.end }
  /// The counts of accepted, delivered and lost batches.
  public var counts: ChannelCounts { storage.counts }
  /// The numbers of batches and samples that were dropped because the channel was full.
  public var lost: Tally { storage.counts.overflowed }
}
