/// Collects what happens while a daemon works, and decides which event it receives next: a pure state machine.
///
/// Order of importance: cancellation, signals, changed files, readiness, the deadline. A delivered event is
/// forgotten. The deadline belongs to the wait: while a task waits, `due` says when, so a timer that fires before the
/// wait begins has nothing to lose.
struct LoopEventMachine {
  private var isCancelled = false
  /// In the order in which they came, each once.
  private var signals: [Int32] = []
  private var changes: [FileChange] = []
  private var isReady = false
  private(set) var isWaiting = false
  /// Of the wait that goes on.
  private var deadline: MonotonicInstant?

  /// The latest instant at which the machine needs the clock's reading; nil for never.
  var due: MonotonicInstant? { isWaiting ? deadline : nil }

  /// Whether there is something to tell.
  var hasEvent: Bool { isCancelled || !signals.isEmpty || !changes.isEmpty || isReady }

  /// The task asks, at an instant; nil when it has to be suspended.
  mutating func next(until deadline: MonotonicInstant?, at now: MonotonicInstant) -> LoopEvent? {
    precondition(!isWaiting, "one task waits for events, and it is waiting already")
    if let event = take() { return event }
    if let deadline, deadline <= now { return .deadline }
    isWaiting = true
    self.deadline = deadline
    return nil
  }

  /// What has been collected, the most important first; nil when there is nothing.
  mutating func take() -> LoopEvent? {
    if isCancelled { return .cancelled }
    if !signals.isEmpty { return .signal(signals.removeFirst()) }
    if !changes.isEmpty {
      defer { changes = [] }
      return .filesChanged(changes)
    }
    if isReady {
      isReady = false
      return .ready
    }
    return nil
  }

  // Each of the following returns the event for the waiting task, or nil when none waits.

  mutating func signalled(_ numbers: [Int32]) -> LoopEvent? {
    for number in numbers where !signals.contains(number) { signals.append(number) }
    return resume()
  }

  mutating func filesChanged(_ more: [FileChange]) -> LoopEvent? {
    changes = FileChange.merged(changes + more)
    return resume()
  }

  mutating func notified() -> LoopEvent? {
    isReady = true
    return resume()
  }

  mutating func cancelled() -> LoopEvent? {
    isCancelled = true
    return resume()
  }

  /// The clock reads `now`; ends the wait when its deadline has passed.
  mutating func clockReads(_ now: MonotonicInstant) -> LoopEvent? {
    guard let due, due <= now else { return nil }
    isWaiting = false
    return take() ?? .deadline
  }

  private mutating func resume() -> LoopEvent? {
    guard isWaiting, let event = take() else { return nil }
    isWaiting = false
    return event
  }
}
