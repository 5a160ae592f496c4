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
  let time: BusTime
  let expected: ExpectedReader

  init(channel: BatchChannel, request: DemandRequest, time: BusTime) {
    self.channel = channel
    stream = channel.stream()
    self.request = request
    self.time = time
    expected = ExpectedReader(Self.mark(of: channel, time))
  }

  private static func mark(of channel: BatchChannel, _ time: BusTime) -> ReaderMark {
    time.reader {
      channel.isAwaited
    } onLeave: { _ in
    }
  }

  /// Returns the batches one after the other.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private var base: BatchStream.AsyncIterator
    private let request: DemandRequest
    private let time: BusTime
    private let mark: ReaderMark

    init(_ batches: Batches) {
      base = batches.stream.makeAsyncIterator()
      request = batches.request
      time = batches.time
      mark = batches.expected.take() ?? Batches.mark(of: batches.channel, time)
    }

    /// Returns the next batch. Returns nil at the end of the demand.
    ///
    /// - Throws: `BusError`: `notAuthorized` when permission was withdrawn, `detached` when the client has
    ///   detached,
    ///   `closed` when the bus was closed. No batch is delivered after an error.
    public mutating func next() async throws -> Batch? {
      mark.reads()
      do throws(ClientFailure) {
        guard let batch = try await base.next() else {
          mark.leaves()
          return nil
        }
        return Batch(batch, request, at: time.now)
      } catch {
        mark.leaves()
        throw BusError(error)
      }
    }
  }

  /// Returns an iterator over the batches. All iterators share one stream, so each batch is returned once.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
