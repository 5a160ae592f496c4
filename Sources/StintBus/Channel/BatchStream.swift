public import StintModel

/// The consumer's end of a channel: the batches as they come, then the end or one failure.
///
/// For one task at a time. Dropping the stream and its iterators, or cancelling the task that waits in it,
/// ends the channel; what still waited is discarded and counted.
public struct BatchStream: AsyncSequence, Sendable {
  public typealias Element = Batch
  public typealias Failure = ClientFailure

  let lease: ConsumerLease

  public struct AsyncIterator: AsyncIteratorProtocol {
    let lease: ConsumerLease

    /// The next batch, or nil at the end.
    ///
    /// - Precondition: no other task waits in this stream.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(ClientFailure) -> Batch? {
      // What waits already is taken without the cost of being able to wait.
      var delivery = Task.isCancelled ? nil : lease.storage.poll()
      if delivery == nil { delivery = await lease.storage.wait(isolation: actor) }
      switch delivery {
      case .element(let batch): return batch
      case .failure(let failure): throw failure
      case .end, nil: return nil
      }
    }

    /// Waits until there is a batch, and appends everything that waits by then, oldest first; false at the end.
    ///
    /// A list that the caller empties and hands in again allocates nothing. Cheaper than one batch at a time.
    ///
    /// - Precondition: no other task waits in this stream.
    public mutating func next(
      into batches: inout [Batch], isolation actor: isolated (any Actor)? = #isolation
    ) async throws(ClientFailure) -> Bool {
      guard let first = try await next(isolation: actor) else { return false }
      batches.append(first)
      lease.storage.drainAll(into: &batches)
      return true
    }
  }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(lease: lease) }
}
