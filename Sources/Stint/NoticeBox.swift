import StintModel
import StintServices
import StintUnits

/// The queue of a service's notices, and the reason for the end of the service.
///
/// The box contains at most `capacity` notices. When it is full, the oldest notice that is not a failure is
/// dropped and counted in `lost`. When all notices are failures, the oldest failure is dropped and counted.
///
/// The box has one reader at a time. A notice counts as read when the reader asks for the next notice or
/// leaves. Then the box reports the `consequence` of the notice, such as the deletion of a downloaded file.
/// The box may be used from any thread.
final class NoticeBox: Sendable {
  static let capacity = 1024

  private struct Waiter {
    let number: UInt64
    let continuation: CheckedContinuation<(any ServiceNotice)?, Never>
  }

  private struct State {
    var queue = NoticeQueue()
    var lost = 0
    /// The number of lost notices that were not reported to the reader yet.
    var unreportedLost = 0
    var end: ServiceEnd?
    /// The number of the reader that uses the box; nil when no reader uses the box.
    var reader: UInt64?
    var waiter: Waiter?
    /// The consequence of the last notice that the reader received and that does not yet count as read.
    var consequence: (any ServiceOrder)?
    var maxAge = LocationDefaults.maxAge.timeSpan
    var isTaken = false

    /// Takes the next element of the queue: a failure with the number of lost notices, or a notice. Nil when
    /// the queue is empty.
    mutating func next() -> (any ServiceNotice)? {
      if unreportedLost > 0 {
        defer { unreportedLost = 0 }
        let notices = unreportedLost == 1 ? "1 notice was" : "\(unreportedLost) notices were"
        return ServiceFailure(.lost, "\(notices) dropped because the client read too slowly")
      }
      guard let notice = queue.popFirst() else { return nil }
      consequence = notice.consequence
      return notice
    }
  }

  private let state = Locked(State())
  private let onConsequence: @Sendable (any ServiceOrder) -> Void

  /// Creates an empty box. `onConsequence` must carry out the consequence of a notice that was read
  /// or dropped.
  init(onConsequence: @escaping @Sendable (any ServiceOrder) -> Void) { self.onConsequence = onConsequence }

  deinit {
    // No reader can read the remaining notices, so their consequences are carried out here. There are
    // exceptions: a service that still runs, and the ends `closed` and `detached`. In these cases, the next
    // process of the client gets the notices.
    let orders = state.withLock { state in
      guard let end = state.end, end != .closed, end != .detached else { return [any ServiceOrder]() }
      return [state.consequence].compactMap(\.self) + state.queue.unread.compactMap(\.consequence)
    }
    for order in orders { onConsequence(order) }
  }

  /// The number of notices dropped because the queue was full.
  var lost: Int { state.withLock { $0.lost } }

  /// The reason for the end of the service; nil while it runs.
  var end: ServiceEnd? { state.withLock { $0.end } }

  /// The age above which a notice is flagged as stale when it is read.
  var maxAge: TimeSpan {
    get { state.withLock { $0.maxAge } }
    set { state.withLock { $0.maxAge = newValue } }
  }

  /// True after a `Notices` sequence received the box; never false again.
  var isTaken: Bool { state.withLock { $0.isTaken } }

  var isEmpty: Bool { state.withLock { $0.queue.isEmpty } }

  /// True while a reader waits for a notice. Becomes false when a notice is put.
  var isAwaited: Bool { state.withLock { $0.waiter != nil } }

  // MARK: Called by the bus

  /// Marks the box as taken by a reader.
  func take() -> NoticeBox {
    state.withLock { $0.isTaken = true }
    return self
  }

  func put(_ notice: any ServiceNotice) {
    let (waiter, dropped) = state.withLock { state -> (Waiter?, (any ServiceOrder)?) in
      guard state.end == nil else { return (nil, nil) }
      if let waiter = state.waiter.take() {
        state.consequence = notice.consequence
        return (waiter, nil)
      }
      state.queue.append(notice)
      guard state.queue.count > Self.capacity else { return (nil, nil) }
      state.lost += 1
      state.unreportedLost += 1
      return (nil, state.queue.removeOldest { !($0 is ServiceFailure) }.consequence)
    }
    waiter?.continuation.resume(returning: notice)
    if let dropped { onConsequence(dropped) }
  }

  /// Makes the unread notices coarse, because their client may no longer get precise positions.
  func limitAccuracy() { state.withLock { state in state.queue.replace { $0.map(\.coarsened) } } }

  /// Ends the queue. The reader still gets the queued notices. When the end revokes the client's access, the
  /// reader gets only a queued `ServiceFailure`.
  func finish(_ end: ServiceEnd) {
    let waiter = state.withLock { state -> Waiter? in
      guard state.end == nil else { return nil }
      state.end = end
      if end.revokes { state.queue.replace { $0.filter { $0 is ServiceFailure } } }
      return state.waiter.take()
    }
    waiter?.continuation.resume(returning: nil)
  }

  var unread: [any ServiceNotice] { state.withLock { Array($0.queue.unread) } }

  /// Ends the queue and returns the unread notices, for the box of the client's next attachment.
  func drainUnread() -> [any ServiceNotice] {
    let unread = state.withLock { $0.queue.drain() }
    finish(.detached)
    return unread
  }

  // MARK: Called by the reader

  /// The result of claiming the box for a read.
  enum Claim {
    /// Another reader uses the box, or another task waits for a notice.
    case taken
    /// A queued notice, and the age above which it is flagged as stale.
    case notice(any ServiceNotice, maxAge: TimeSpan)
    /// Nothing is queued, or the task is cancelled. The reader must call `next`.
    case empty
  }

  /// Claims the box for a read, and reads a queued notice. The previous notice counts as read.
  ///
  /// Reading a queued notice here is cheaper than in `next`, which needs a continuation.
  func claim(_ reader: UInt64) -> Claim {
    let isCancelled = Task.isCancelled
    let (claim, order) = state.withLock { state -> (Claim, (any ServiceOrder)?) in
      guard state.waiter == nil, state.reader == nil || state.reader == reader else { return (.taken, nil) }
      state.reader = reader
      let order = state.consequence.take()
      guard !isCancelled, let notice = state.next() else { return (.empty, order) }
      return (.notice(notice, maxAge: state.maxAge), order)
    }
    if let order { onConsequence(order) }
    return claim
  }

  /// Waits for the next notice. Returns nil at the end and when the task is cancelled. `onWait` is called
  /// when the reader begins to wait.
  func next(
    for reader: UInt64, onWait: @escaping @Sendable () -> Void, isolation: isolated (any Actor)?
  ) async -> (any ServiceNotice)? {
    await withTaskCancellationHandler {
      await withCheckedContinuation(isolation: isolation) { continuation in
        if suspend(Waiter(number: reader, continuation: continuation)) { onWait() }
      }
    } onCancel: {
      cancel(reader)
    }
  }

  /// Stores the waiter and returns true when there is nothing to read. Otherwise resumes the reader and
  /// returns false.
  private func suspend(_ waiter: Waiter) -> Bool {
    let (isOver, notice) = state.withLock { state -> (Bool, (any ServiceNotice)?) in
      if Task.isCancelled { return (true, nil) }
      if let notice = state.next() { return (true, notice) }
      if state.end != nil || state.waiter != nil { return (true, nil) }
      state.waiter = waiter
      return (false, nil)
    }
    if isOver { waiter.continuation.resume(returning: notice) }
    return !isOver
  }

  private func cancel(_ number: UInt64) {
    let waiter = state.withLock { state in state.waiter?.number == number ? state.waiter.take() : nil }
    waiter?.continuation.resume(returning: nil)
  }

  /// Frees the box for another reader. The last notice of this reader counts as read.
  func removeReader(_ reader: UInt64) {
    let order = state.withLock { state -> (any ServiceOrder)? in
      guard state.reader == reader else { return nil }
      state.reader = nil
      return state.consequence.take()
    }
    if let order { onConsequence(order) }
  }
}
