import StintModel
import StintServices
import StintUnits

/// The queue of a service's notices, and the reason for the end of the service.
///
/// Holds at most `capacity` notices. When it is full, the oldest notice is dropped and counted in `lost`. May
/// be used from any thread.
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
    /// Called with true when a reader begins to wait for a notice, and with false when a notice is available.
    /// Called with nil when no notice will follow or the reader's task is cancelled.
    var asks: (@Sendable (Bool?) -> Void)?
  }

  private let state = Locked(State())

  /// The number of notices dropped because the queue was full.
  var lost: Int { state.withLock { $0.lost } }

  /// The reason for the end of the service; nil while it runs.
  var end: ServiceEnd? { state.withLock { $0.end } }

  /// The age above which a notice is flagged as stale when it is read.
  var maxAge: TimeSpan {
    get { state.withLock { $0.maxAge } }
    set { state.withLock { $0.maxAge = newValue } }
  }

  /// True when a `Notices` sequence has the box; never reset.
  var isTaken: Bool { state.withLock { $0.isTaken } }

  /// True when no notice is queued.
  var isEmpty: Bool { state.withLock { $0.waiting.isEmpty } }

  // MARK: Called by the bus

  /// Marks the box as taken by a reader.
  func take() -> NoticeBox {
    state.withLock { $0.isTaken = true }
    return self
  }

  /// Adds a notice. From now on the reader counts as busy, even before its task resumes.
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

  /// Ends the queue. The reader still gets the queued notices. When the end revokes the client's access, the
  /// reader gets only a queued `ServiceFailure`.
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

  /// Ends the queue and returns the unread notices. The next process of the client gets them.
  func drainUnread() -> [any ServiceNotice] {
    let unread = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    finish(.detached)
    return unread
  }

  // MARK: Called by the reader

  /// Waits for the next notice. Returns nil at the end and when the task is cancelled.
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
