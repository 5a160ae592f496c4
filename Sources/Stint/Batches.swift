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
  /// Says whether the reader waits for the next batch, or nil that it never will again; virtual time passes
  /// only while it waits.
  let asks: @Sendable (Bool?) -> Void

  /// Takes the batches one by one.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let channel: BatchChannel
    var base: BatchStream.AsyncIterator
    let request: DemandRequest
    let now: @Sendable () -> Instant
    let asks: @Sendable (Bool?) -> Void

    /// The next batch, or nil at the end.
    ///
    /// - Throws: `BusError`: `notAuthorized` when permission was withdrawn, `detached` when the client left,
    ///   `closed` when the bus was closed. Nothing is delivered after that.
    public mutating func next() async throws -> Batch? {
      // Time stands while something waits to be read.
      if channel.isEmpty { asks(true) }
      do throws(ClientFailure) {
        guard let batch = try await base.next() else {
          asks(nil)
          return nil
        }
        asks(false)
        return Batch(batch, request, at: now())
      } catch {
        asks(nil)
        throw BusError(error)
      }
    }
  }

  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(
      channel: channel, base: stream.makeAsyncIterator(), request: request, now: now, asks: asks)
  }
}
