import StintModel
public import StintServices
import StintUnits

/// What one service tells its client, in order, for one task; it ends when the service is over.
///
/// At most 1024 wait; a client that reads more slowly loses the oldest, and `lost` says how many. A position that grew
/// old while it waited is flagged when it is read.
public struct Notices: AsyncSequence, Sendable {
  public typealias Element = any ServiceNotice

  let box: NoticeBox
  let now: @Sendable () -> Instant
  /// Says whether the reader waits for the next notice; virtual time passes only while it does.
  let asks: @Sendable (Bool?) -> Void

  /// How many notices were lost because they were not read in time.
  public var lost: Int { box.lost }

  /// Why the service is over; nil while it goes on.
  public var end: ServiceEnd? { box.end }

  /// Takes the notices one by one.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let notices: Notices

    /// The next notice; nil when the service is over and told all, and when the task was cancelled.
    public mutating func next() async -> (any ServiceNotice)? { await next(isolation: #isolation) }

    /// The next notice, on the executor of the caller.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> (any ServiceNotice)? {
      let box = notices.box
      return await box.next(asking: notices.asks, isolation: actor)?
        .withAge(at: notices.now(), maxAge: box.maxAge)
    }
  }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(notices: self) }
}
