public import StintModel
public import StintUnits

/// The result of `BatchStream.AsyncIterator.nextStep`.
public enum StreamStep: Sendable {
  case batch(Batch)
  /// The wait was interrupted. The channel is unchanged.
  case interrupted
  case end
}

/// The consumer side of a channel: a sequence of batches that ends normally or with one failure.
///
/// Only one task may use a stream. The channel ends when the stream and all its iterators are released. It
/// also ends when a task is cancelled during a wait for a batch. In both cases, the batches that are still
/// queued are discarded and counted.
public struct BatchStream: AsyncSequence, Sendable {
  /// An element is one delivered batch.
  public typealias Element = Batch
  /// The failure that ended the channel.
  public typealias Failure = Problem

  let lease: ConsumerLease<Batch>

  /// An iterator that returns the batches one at a time, or all queued batches at once.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let lease: ConsumerLease<Batch>

    /// Waits for the next batch. Returns nil at the end.
    ///
    /// - Throws: the failure that ended the channel, once.
    /// - Precondition: no other task waits in this stream.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Problem) -> Batch? {
      while true {
        switch try await nextStep(isolation: actor) {
        case .batch(let batch): return batch
        case .interrupted: continue
        case .end: return nil
        }
      }
    }

    /// Waits for the next batch, for `BatchChannel.interrupt()` or for the end.
    ///
    /// - Throws: the failure that ended the channel, once.
    /// - Precondition: no other task waits in this stream.
    public mutating func nextStep(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Problem) -> StreamStep {
      // Read a queued batch without creating a continuation, which is cheaper.
      if let step = try poll() { return step }
      guard let delivery = await lease.storage.wait(isolation: actor) else { return .interrupted }
      return try Self.step(delivery)
    }

    /// Returns the next batch or the end without waiting. Nil when `nextStep` would wait, and when the task
    /// is cancelled.
    ///
    /// - Throws: the failure that ended the channel, once.
    public mutating func poll() throws(Problem) -> StreamStep? {
      guard !Task.isCancelled, let delivery = lease.storage.poll() else { return nil }
      return try Self.step(delivery)
    }

    private static func step(
      _ delivery: ChannelStateMachine<Batch>.Delivery
    ) throws(Problem) -> StreamStep {
      switch delivery {
      case .element(let batch): .batch(batch)
      case .failure(let failure): throw failure
      case .end: .end
      }
    }

    /// Waits for a batch, then appends it and all other queued batches, oldest first. Returns false at the
    /// end.
    ///
    /// Cheaper than reading single batches. A reused array avoids allocations.
    ///
    /// - Throws: the failure that ended the channel, once.
    /// - Precondition: no other task waits in this stream.
    public mutating func next(
      into batches: inout [Batch], isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Problem) -> Bool {
      guard let first = try await next(isolation: actor) else { return false }
      batches.append(first)
      lease.storage.drainAll(into: &batches)
      return true
    }
  }

  /// Returns an iterator. All iterators read from one queue, so each batch is returned once.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(lease: lease) }
}
