import StintBus
import StintModel
import StintUnits

/// The batches of one demand, for one task, while its closure runs.
public struct Batches: AsyncSequence, Sendable {
  public typealias Element = Batch

  let stream: BatchStream
  let request: DemandRequest
  let now: @Sendable () -> Instant
  /// Says whether the reader waits for the next batch; virtual time passes only while it does.
  let asks: @Sendable (Bool) -> Void

  /// Takes the batches one by one.
  public struct AsyncIterator: AsyncIteratorProtocol {
    var base: BatchStream.AsyncIterator
    let request: DemandRequest
    let now: @Sendable () -> Instant
    let asks: @Sendable (Bool) -> Void

    /// The next batch, or nil at the end; throws when the device failed or may not be used.
    public mutating func next() async throws -> Batch? {
      asks(true)
      defer { asks(false) }
      return try await base.next().map { Batch($0, request, at: now()) }
    }
  }

  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(base: stream.makeAsyncIterator(), request: request, now: now, asks: asks)
  }
}
