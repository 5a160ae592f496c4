import StintBus
import StintModel
import StintServices
import StintUnits

/// The batches of samples of one demand, for one reader at a time. Valid while the closure of
/// `Client.withDemand` runs.
///
/// While a rule pauses the demand, this sequence waits. `events` also returns pauses and losses.
public struct Batches: AsyncSequence, Sendable {
  /// An element is one delivered batch.
  public typealias Element = ReadingBatch

  /// The batches and all other events of the demand, in order. Both sequences read from one queue.
  public let events: DemandEvents

  /// The number of samples dropped because the client read too slowly.
  public var lost: Int { events.feed.channel.lost.samples }

  /// An iterator over the batches.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private var base: DemandEvents.AsyncIterator

    init(_ base: DemandEvents.AsyncIterator) { self.base = base }

    /// Returns the next batch. Returns nil at the end of the demand.
    ///
    /// - Throws: `Problem`: `unavailable` when no device can serve the demand any longer, and the errors of
    ///   `DemandEvents`.
    public mutating func next() async throws -> ReadingBatch? {
      while true {
        let event: DemandEvent?
        if let polled = try base.poll() { event = polled } else { event = try await base.next() }
        switch event {
        case .batch(let batch): return batch
        case .status(.unavailable(let reason, _)):
          base.leave()
          throw Problem(.unavailable, cause: reason)
        case .status, .lost: continue
        case nil: return nil
        }
      }
    }
  }

  /// Returns an iterator over the batches. A second reader gets the error `hasReader`.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(events.makeAsyncIterator()) }
}

/// The events of one demand, in order, for one reader at a time. Valid while the closure of
/// `Client.withDemand` runs.
public struct DemandEvents: AsyncSequence, Sendable {
  /// An element is one event.
  public typealias Element = DemandEvent

  let feed: DemandFeed
  private let request: DemandRequest
  private let time: BusTime
  private let expected: ExpectedReaderRegistration

  init(_ feed: DemandFeed, request: DemandRequest, time: BusTime) {
    self.feed = feed
    self.request = request
    self.time = time
    expected = ExpectedReaderRegistration(Self.mark(of: feed, time))
  }

  private static func mark(of feed: DemandFeed, _ time: BusTime) -> ReaderRegistration {
    let channel = feed.channel
    return time.reader {
      channel.isAwaited
    } onLeave: {
      feed.removeReader($0)
    }
  }

  /// An iterator over the events.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let feed: DemandFeed
    private let request: DemandRequest
    private let time: BusTime
    private let mark: ReaderRegistration

    init(_ events: DemandEvents) {
      feed = events.feed
      request = events.request
      time = events.time
      mark = events.expected.take() ?? DemandEvents.mark(of: events.feed, events.time)
    }

    /// Returns the next event. Returns nil at the end of the demand.
    ///
    /// - Throws: `Problem`: `denied` or `undecided` when permission was withdrawn, `detached` when the client
    ///   has detached, `closed` when the bus was closed, `hasReader` when another task reads the events. No
    ///   event is delivered after an error.
    public mutating func next() async throws -> DemandEvent? {
      try begin()
      do throws(Problem) {
        return event(try await feed.next(isolation: #isolation))
      } catch {
        leave()
        throw error
      }
    }

    /// Returns the next event if `next` would not wait. Nil when `next` would wait; the inner value is nil at
    /// the end of the demand.
    ///
    /// - Throws: the errors of `next`.
    mutating func poll() throws -> DemandEvent?? {
      mark.beginReading()
      do throws(Problem) {
        guard let element = try feed.poll(mark.number) else { return nil }
        return .some(event(element))
      } catch {
        leave()
        throw error
      }
    }

    private func begin() throws(Problem) {
      guard feed.begin(mark.number) else {
        throw Problem(
          .hasReader, cause: "another task reads this demand",
          remedy: "end its loop first, or raise a second demand")
      }
      mark.beginReading()
    }

    private func event(_ element: DemandFeed.Element) -> DemandEvent? {
      switch element {
      case .batch(let batch): return .batch(ReadingBatch(batch, request, at: time.now))
      case .status(let status): return .status(status)
      case .lost(let samples): return .lost(samples: samples)
      case .end:
        leave()
        return nil
      }
    }

    func leave() { mark.endReading() }
  }

  /// Returns an iterator over the events. A second reader gets the error `hasReader`.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
