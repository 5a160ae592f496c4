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
    let box: NoticeBox
    var base: AsyncStream<any ServiceNotice>.AsyncIterator
    let asks: @Sendable (Bool) -> Void

    /// The next notice, or nil when the service is over and told all.
    public mutating func next() async -> (any ServiceNotice)? { await next(isolation: #isolation) }

    /// The next notice, on the executor of whoever asks.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> (any ServiceNotice)? {
      box.waits(asks)
      let notice = await base.next(isolation: actor)
      box.took(notice)
      return notice
    }
  }

  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(box: box, base: box.stream.makeAsyncIterator(), asks: asks)
  }
}

/// Where a service's notices wait for their reader.
final class NoticeBox: Sendable {
  static let capacity = 1024

  private struct State {
    /// How many wait to be read, and how many were lost.
    var waiting = 0
    var lost = 0
    /// Says whether the reader waits for more.
    var asks: (@Sendable (Bool) -> Void)?
  }

  let stream: AsyncStream<any ServiceNotice>
  private let continuation: AsyncStream<any ServiceNotice>.Continuation
  private let state = Locked(State())

  init() {
    (stream, continuation) = AsyncStream.makeStream(
      of: (any ServiceNotice).self, bufferingPolicy: .bufferingNewest(Self.capacity))
  }

  var lost: Int { state.withLock { $0.lost } }

  /// From here on its reader is busy, however long it takes to wake up.
  func put(_ notice: any ServiceNotice) {
    state.withLock { state in
      switch continuation.yield(notice) {
      case .dropped: state.lost += 1
      case .enqueued: state.waiting += 1
      default: return
      }
      state.asks?(false)
    }
  }

  /// The reader asks for the next one.
  func waits(_ asks: @escaping @Sendable (Bool) -> Void) {
    state.withLock { state in
      state.asks = asks
      if state.waiting == 0 { asks(true) }
    }
  }

  /// The reader has it, or heard of the end.
  func took(_ notice: (any ServiceNotice)?) {
    state.withLock { state in
      if notice != nil { state.waiting -= 1 }
      state.asks?(false)
    }
  }

  func finish() { continuation.finish() }
}
