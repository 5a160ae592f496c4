import StintBus
import StintModel
import StintUnits

/// The batches of one demand. Valid while the closure of `withDemand` runs; for one task at a time.
public struct Batches: AsyncSequence, Sendable {
  /// An element is one delivered batch.
  public typealias Element = Batch

  let channel: BatchChannel
  let stream: BatchStream
  let request: DemandRequest
  let now: @Sendable () -> Instant
  /// Called with true when the reader starts and with false when it stops. Between these two calls, virtual
  /// time passes only while the reader waits.
  let reads: @Sendable (Bool) -> Void

  /// Returns the batches one after the other.
  public struct AsyncIterator: AsyncIteratorProtocol {
    var base: BatchStream.AsyncIterator
    let request: DemandRequest
    let now: @Sendable () -> Instant
    let reads: @Sendable (Bool) -> Void
    private var isReading = false

    init(
      base: BatchStream.AsyncIterator, request: DemandRequest, now: @escaping @Sendable () -> Instant,
      reads: @escaping @Sendable (Bool) -> Void
    ) {
      self.base = base
      self.request = request
      self.now = now
      self.reads = reads
    }

    /// Returns the next batch. Returns nil at the end of the demand.
    ///
    /// - Throws: `BusError`: `notAuthorized` when permission was withdrawn, `detached` when the client has
    ///   detached, `closed` when the bus was closed. No batch is delivered after an error.
    public mutating func next() async throws -> Batch? {
      if !isReading { reads(true) }
      isReading = true
      do throws(ClientFailure) {
        guard let batch = try await base.next() else {
          stop()
          return nil
        }
        return Batch(batch, request, at: now())
      } catch {
        stop()
        throw BusError(error)
      }
    }

    private mutating func stop() {
      reads(false)
      isReading = false
    }
  }

  /// Returns an iterator over the batches. All iterators share one stream, so each batch is returned once.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(base: stream.makeAsyncIterator(), request: request, now: now, reads: reads)
  }
}
