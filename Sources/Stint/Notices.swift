import StintModel
public import StintServices

/// What one service tells its client, in order, for one task.
///
/// At most 1024 wait; a client that reads more slowly loses the oldest, and `lost` says how many.
public struct Notices: AsyncSequence, Sendable {
  public typealias Element = any ServiceNotice

  let box: NoticeBox
  /// Says whether the reader waits for the next notice; virtual time passes only while it does.
  let asks: @Sendable (Bool) -> Void

  /// How many notices were lost because nobody read them in time.
  public var lost: Int { box.lost }

  /// Takes the notices one by one.
  public struct AsyncIterator: AsyncIteratorProtocol {
    var base: AsyncStream<any ServiceNotice>.AsyncIterator
    let asks: @Sendable (Bool) -> Void

    /// The next notice, or nil when the service is over and told all.
    public mutating func next() async -> (any ServiceNotice)? { await next(isolation: #isolation) }

    /// The next notice, on the executor of whoever asks.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> (any ServiceNotice)? {
      asks(true)
      defer { asks(false) }
      return await base.next(isolation: actor)
    }
  }

  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(base: box.stream.makeAsyncIterator(), asks: asks)
  }
}

/// Where a service's notices wait for their reader.
final class NoticeBox: Sendable {
  static let capacity = 1024

  let stream: AsyncStream<any ServiceNotice>
  private let continuation: AsyncStream<any ServiceNotice>.Continuation
  private let losses = Locked(0)

  init() {
    (stream, continuation) = AsyncStream.makeStream(
      of: (any ServiceNotice).self, bufferingPolicy: .bufferingNewest(Self.capacity))
  }

  var lost: Int { losses.withLock { $0 } }

  func put(_ notice: any ServiceNotice) {
    if case .dropped = continuation.yield(notice) { losses.withLock { $0 += 1 } }
  }

  func finish() { continuation.finish() }
}
