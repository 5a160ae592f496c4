import StintModel
public import StintServices
import StintUnits

/// The notices of one service, oldest first, for one task. The sequence ends with the service.
///
/// At most 1024 unread notices are kept. When a client reads too slowly, the oldest notices that are not
/// failures are dropped and counted in `lost`. The next notice is then a `ServiceFailure` with the code
/// `lost`. A position that became too old while it waited is flagged as stale. A `DemandStatus` reports that
/// rules or a missing device interrupt the service, or that the service continues.
///
/// A notice counts as read when the reader asks for the next notice or leaves its loop. The file of a
/// finished download exists until then.
public struct Notices: AsyncSequence, Sendable {
  /// An element is one notice of the service.
  public typealias Element = any ServiceNotice

  let box: NoticeBox
  let time: BusTime
  private var expected: ExpectedReaderRegistration?

  init(box: NoticeBox, time: BusTime) {
    self.box = box
    self.time = time
  }

  /// Returns the notices with an expected reader. Virtual time waits for this reader from the start.
  func expectingReader() -> Notices {
    var notices = self
    notices.expected = ExpectedReaderRegistration(mark())
    return notices
  }

  private func mark() -> ReaderRegistration {
    let box = box
    return time.reader {
      box.isAwaited
    } onLeave: {
      box.removeReader($0)
    }
  }

  /// The number of notices dropped because the client read too slowly.
  public var lost: Int { box.lost }

  /// The reason for the end of the service; nil while it runs.
  public var end: ServiceEnd? { box.end }

  /// An iterator over the notices.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let box: NoticeBox
    private let time: BusTime
    private let mark: ReaderRegistration
    private var isRefused = false

    init(_ notices: Notices) {
      box = notices.box
      time = notices.time
      mark = notices.expected?.take() ?? notices.mark()
    }

    /// Returns the next notice. Returns nil after the last notice of an ended service and when the task is
    /// cancelled. A second reader gets a `ServiceFailure` with the code `hasReader`, and then nil.
    public mutating func next() async -> (any ServiceNotice)? { await next(isolation: #isolation) }

    /// Returns the next notice on the caller's executor. Returns nil as `next()` does.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> (any ServiceNotice)? {
      switch box.claim(mark.number) {
      case .taken:
        defer { isRefused = true }
        return isRefused ? nil : Self.refusal
      case .notice(let notice, let maxAge):
        mark.beginReading()
        return notice.withAge(at: time.now, maxAge: maxAge)
      case .empty:
        mark.beginReading()
        guard let notice = await box.next(for: mark.number, onWait: time.readerWaits, isolation: actor) else {
          mark.endReading()
          return nil
        }
        return notice.withAge(at: time.now, maxAge: box.maxAge)
      }
    }

    private static let refusal = ServiceFailure(
      .hasReader, "another task reads the notices of this service; end its loop first")
  }

  /// Returns an iterator over the notices. Use it only while no other task reads the notices.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
