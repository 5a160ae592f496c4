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
    var maxAge = LocationDefaults.maxAge
    var isTaken = false
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

  /// True while a reader waits for a notice. Becomes false when a notice is put.
  var isAwaited: Bool { state.withLock { !$0.readers.isEmpty } }

  // MARK: Called by the bus

  /// Marks the box as taken by a reader.
  func take() -> NoticeBox {
    state.withLock { $0.isTaken = true }
    return self
  }

  /// Adds a notice.
  func put(_ notice: any ServiceNotice) {
    let reader = state.withLock { state -> Reader? in
      guard state.end == nil else { return nil }
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

  /// Ends the queue. The reader still gets the queued notices; when its rights are revoked, only a
  /// `ServiceFailure`.
  func finish(_ end: ServiceEnd) {
    let readers = state.withLock { state -> [Reader] in
      guard state.end == nil else { return [] }
      state.end = end
      if end.revokes { state.waiting.removeAll { !($0 is ServiceFailure) } }
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

  /// Waits for the next notice. Returns nil at the end and when the task is cancelled. `onWait` is called when
  /// the reader begins to wait.
  func next(
    for reader: UInt64, onWait: @escaping @Sendable () -> Void, isolation: isolated (any Actor)?
  ) async -> (any ServiceNotice)? {
    return await withTaskCancellationHandler {
      await withCheckedContinuation(isolation: isolation) { continuation in
        if suspend(Reader(number: reader, continuation: continuation)) { onWait() }
      }
    } onCancel: {
      cancel(reader)
    }
  }

  /// Returns true when the reader must wait. Otherwise the reader is resumed.
  private func suspend(_ reader: Reader) -> Bool {
    let (isOver, notice) = state.withLock { state -> (Bool, (any ServiceNotice)?) in
      if Task.isCancelled { return (true, nil) }
      if !state.waiting.isEmpty { return (true, state.waiting.removeFirst()) }
      if state.end != nil { return (true, nil) }
      state.readers.append(reader)
      return (false, nil)
    }
    if isOver { reader.continuation.resume(returning: notice) }
    return !isOver
  }

  private func cancel(_ number: UInt64) {
    let reader = state.withLock { state -> Reader? in
      guard let place = state.readers.firstIndex(where: { $0.number == number }) else { return nil }
      return state.readers.remove(at: place)
    }
    reader?.continuation.resume(returning: nil)
  }

  /// Records that a reader has left.
  func leaves(_ reader: UInt64) {}
}
