import StintBus
import StintModel
import StintUnits

/// The batches of one demand, for one task, while its closure runs.
public struct Batches: AsyncSequence, Sendable {
  public typealias Element = Batch

  let channel: BatchChannel
  let stream: BatchStream
  let request: DemandRequest
  let now: @Sendable () -> Instant
  /// Says that the reader begins to read, or that it never will again; in between, virtual time passes only while the
  /// reader waits.
  let reads: @Sendable (Bool) -> Void

  /// Takes the batches one by one.
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

    /// The next batch, or nil at the end.
    ///
    /// - Throws: `BusError`: `notAuthorized` when permission was withdrawn, `detached` when the client left,
    ///   `closed` when the bus was closed. Nothing is delivered after that.
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

  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(base: stream.makeAsyncIterator(), request: request, now: now, reads: reads)
  }
}
