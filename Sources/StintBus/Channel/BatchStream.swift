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
      try await lease.storage.next(isolation: actor)
    }
  }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(lease: lease) }
}
