import StintModel
public import StintUnits

/// Virtual time for tests of apps. It advances only while a caller of `advance(by:)` waits for it.
///
/// While a reader of a stream processes an element, time does not advance, so that each element is read at
/// the instant of its delivery. Time waits for a reader for at most `timeout`, because the reader may have
/// ended without a call of `endReading(_:)`. The clock may be used from any thread.
public final class VirtualClock: HostClock {
  /// The reason for a wake request.
  public enum WakeReason: Hashable, Sendable {
    /// A device or a client needs the host.
    case ready
    /// The host must stop.
    case stop
  }

  /// An instant up to which a caller lets time advance.
  private struct Goal {
    var number: UInt64
    var instant: Instant
    var reached: Promise<Void>
  }

  private struct State {
    var requests: Set<WakeReason> = []
    var waiter: Promise<Void>?
    var now: Instant
    var goals: [Goal] = []
    var nextGoal: UInt64 = 0
    var readers = VirtualReaders()
    var isStopped = false
  }

  /// The longest real time for which virtual time waits for one read.
  static let timeout = TimeSpan.seconds(5)

  private let loop: LoopExecutor
  private let state: Locked<State>

  /// Creates a clock that shows `start`, for a host on this loop.
  public init(loop: LoopExecutor, start: Instant) {
    self.loop = loop
    state = Locked(State(now: start))
  }

  /// The current instant.
  public var now: Instant { state.withLock { $0.now } }

  /// Ends the current wait. Without a current wait, ends the next wait. The reason `stop` also ends all later
  /// waits. May be called from any thread.
  public func notify(_ reason: WakeReason) {
    let (waiter, goals) = state.withLock { state in
      state.requests.insert(reason)
      guard reason == .stop else { return (state.waiter, [Goal]()) }
      state.isStopped = true
      defer { state.goals = [] }
      return (state.waiter, state.goals)
    }
    for goal in goals { goal.reached.fill(()) }
    waiter?.fill(())
  }

  /// Advances time by a span. Returns when all events up to the end of the span are handled and all
  /// readers wait.
  ///
  /// Returns early when the clock is stopped or the task is cancelled.
  public func advance(by span: TimeSpan) async {
    let task = withUnsafeCurrentTask { $0?.hashValue }
    let reached = Promise<Void>()
    let number = state.withLock { state -> UInt64? in
      guard !state.isStopped else { return nil }
      // A reader that calls `advance` itself reads its next element only after this call.
      state.readers.excuse(in: task)
      state.nextGoal += 1
      state.goals.append(Goal(number: state.nextGoal, instant: state.now + span, reached: reached))
      return state.nextGoal
    }
    guard let number else { return }
    reconsider()
    await withTaskCancellationHandler {
      await reached.value()
    } onCancel: {
      state.withLock { state in state.goals.removeAll { $0.number == number } }
      reached.fill(())
    }
  }

  public func wait(until instant: Instant) async -> WaitResult {
    while true {
      // Calls of an app run on the loop. Without this pause, they would wait until time has advanced.
      await loop.runWaitingJobs()
      let signal = Promise<Void>()
      state.withLock { $0.waiter = signal }
      if let event = event(until: instant) {
        state.withLock { $0.waiter = nil }
        return event
      }
      let hasGoals = state.withLock { !$0.goals.isEmpty }
      let timer =
        hasGoals
        ? loop.schedule(at: SystemClock.monotonic() + Self.timeout) { [self] in
          excuseBusyReaders()
          signal.fill(())
        } : nil
      await signal.value()
      if let timer { loop.unschedule(timer) }
    }
  }

  /// Returns the event that has occurred. Returns nil when the host must wait.
  private func event(until instant: Instant) -> WaitResult? {
    if let event = requestedEvent() { return event }
    guard state.withLock({ $0.readers }).allAreIdle else { return nil }
    let (event, reached) = state.withLock { state -> (WaitResult?, [Goal]) in
      let reached = state.goals.filter { $0.instant <= state.now }
      state.goals.removeAll { $0.instant <= state.now }
      guard let goal = state.goals.map(\.instant).min() else { return (nil, reached) }
      state.now = max(state.now, min(goal, instant))
      return (instant <= goal ? .due : .ready(at: state.now), reached)
    }
    for goal in reached { goal.reached.fill(()) }
    return event
  }

  private func excuseBusyReaders() {
    let late = state.withLock { $0.readers }.busy
    state.withLock { $0.readers.excuse(late) }
  }

  private func requestedEvent() -> WaitResult? {
    state.withLock { state in
      if state.requests.contains(.stop) { return .stop(at: state.now) }
      if state.requests.remove(.ready) != nil { return .ready(at: state.now) }
      return nil
    }
  }

  // MARK: Readers

  /// Records that a reader of the current task requests its next element, or is about to request it.
  /// `isWaiting` returns whether the reader waits.
  public func beginReading(_ reader: UInt64, isWaiting: @escaping @Sendable () -> Bool) {
    let task = withUnsafeCurrentTask { $0?.hashValue }
    state.withLock { $0.readers.beginReading(reader, in: task, isWaiting: isWaiting) }
  }

  /// Records that a reader has stopped reading.
  public func endReading(_ reader: UInt64) {
    state.withLock { $0.readers.endReading(reader) }
    reconsider()
  }

  /// Checks again whether time may advance. Called when a reader begins to wait.
  public func reconsider() { state.withLock { $0.waiter }?.fill(()) }
}
