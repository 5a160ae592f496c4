import StintModel
import StintServices
import StintUnits

/// Where a service's notices wait for their reader, and where it learns why the service is over.
///
/// At most `capacity` wait; the oldest makes room and is counted. May be used from any thread.
final class NoticeBox: Sendable {
  static let capacity = 1024

  private struct Reader {
    let number: UInt64
    let continuation: CheckedContinuation<(any ServiceNotice)?, Never>
  }

  private struct State {
    var waiting: [any ServiceNotice] = []
    var lost = 0
    var end: ServiceEnd?
    var readers: [Reader] = []
    var nextReader: UInt64 = 0
    var maxAge = LocationDefaults.maxAge
    var isTaken = false
    /// Says whether a reader waits for more; nil once none will.
    var asks: (@Sendable (Bool?) -> Void)?
  }

  private let state = Locked(State())

  /// How many notices were lost because they were not read in time.
  var lost: Int { state.withLock { $0.lost } }

  /// Why the service is over; nil while it goes on.
  var end: ServiceEnd? { state.withLock { $0.end } }

  /// The greatest age at which a notice still counts as current when it is read.
  var maxAge: TimeSpan {
    get { state.withLock { $0.maxAge } }
    set { state.withLock { $0.maxAge = newValue } }
  }

  /// Whether a reader has the box; it is set once and for all.
  var isTaken: Bool { state.withLock { $0.isTaken } }

  /// Whether nothing waits to be read.
  var isEmpty: Bool { state.withLock { $0.waiting.isEmpty } }

  // MARK: For the bus

  /// Notes that a reader has it.
  func take() -> NoticeBox {
    state.withLock { $0.isTaken = true }
    return self
  }

  /// Adds a notice; from here on its reader is busy, however long it takes to wake up.
  func put(_ notice: any ServiceNotice) {
    let reader = state.withLock { state -> Reader? in
      guard state.end == nil else { return nil }
      state.asks?(false)
      if !state.readers.isEmpty { return state.readers.removeFirst() }
      state.waiting.append(notice)
      if state.waiting.count > Self.capacity {
        state.waiting.removeFirst()
        state.lost += 1
      }
      return nil
    }
    reader?.continuation.resume(returning: notice)
  }

  /// The service is over. The reader gets what waits, or the failure alone where it may see no more; then the end.
  func finish(_ end: ServiceEnd) {
    let readers = state.withLock { state -> [Reader] in
      guard state.end == nil else { return [] }
      state.end = end
      if end.revokes { state.waiting.removeAll { !($0 is ServiceFailure) } }
      if state.waiting.isEmpty { state.asks?(nil) }
      defer { state.readers = [] }
      return state.readers
    }
    for reader in readers { reader.continuation.resume(returning: nil) }
  }

  /// Ends it, and takes out what was not read, for the next process of its client.
  func drainUnread() -> [any ServiceNotice] {
    let unread = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    finish(.detached)
    return unread
  }

  // MARK: For the reader

  /// The next notice; nil at the end, and when the task was cancelled.
  func next(
    asking asks: @escaping @Sendable (Bool?) -> Void, isolation: isolated (any Actor)?
  ) async -> (any ServiceNotice)? {
    let number = state.withLock { state in
      state.asks = asks
      if state.waiting.isEmpty { asks(state.end == nil ? true : nil) }
      state.nextReader += 1
      return state.nextReader
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation(isolation: isolation) { continuation in
        suspend(Reader(number: number, continuation: continuation))
      }
    } onCancel: {
      cancel(number)
    }
  }

  private func suspend(_ reader: Reader) {
    let (isOver, notice) = state.withLock { state -> (Bool, (any ServiceNotice)?) in
      if Task.isCancelled {
        state.asks?(nil)
        return (true, nil)
      }
      if !state.waiting.isEmpty {
        state.asks?(false)
        return (true, state.waiting.removeFirst())
      }
      if state.end != nil { return (true, nil) }
      state.readers.append(reader)
      return (false, nil)
    }
    if isOver { reader.continuation.resume(returning: notice) }
  }

  private func cancel(_ number: UInt64) {
    let reader = state.withLock { state -> Reader? in
      guard let place = state.readers.firstIndex(where: { $0.number == number }) else { return nil }
      state.asks?(nil)
      return state.readers.remove(at: place)
    }
    reader?.continuation.resume(returning: nil)
  }
}
