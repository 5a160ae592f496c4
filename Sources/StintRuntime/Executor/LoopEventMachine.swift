/// The state machine behind `LoopEvents`. It collects events and selects the next event to deliver.
///
/// The order of priority is: cancellation, signals, changed files, readiness, deadline. A delivered event is
/// removed; only a cancellation remains. `due` is nil outside of a wait, so a timer cannot expire before the
/// wait begins.
struct LoopEventMachine {
  private var isCancelled = false
  /// The received signals in order of arrival, without duplicates.
  private var signals: [Int32] = []
  private var changes: [FileChange] = []
  private var isReady = false
  private(set) var isWaiting = false
  /// The deadline of the current wait.
  private var deadline: MonotonicInstant?

  /// The time at which `expire` must be called; nil for never.
  var due: MonotonicInstant? { isWaiting ? deadline : nil }

  /// True when an event can be delivered.
  var hasEvent: Bool { isCancelled || !signals.isEmpty || !changes.isEmpty || isReady }

  /// Returns the next event, or starts a wait and returns nil: the task must then be suspended.
  mutating func next(until deadline: MonotonicInstant?, at now: MonotonicInstant) -> LoopEvent? {
    precondition(!isWaiting, "another task already waits for events")
    if let event = take() { return event }
    if let deadline, deadline <= now { return .deadline }
    isWaiting = true
    self.deadline = deadline
    return nil
  }

  /// Removes and returns the event of the highest priority. Returns nil when there is no event.
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

  // The following functions return the event for the waiting task. They return nil when no task waits.

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

  /// Ends the wait and returns an event when the deadline is at or before `now`. Otherwise returns nil.
  mutating func expire(_ now: MonotonicInstant) -> LoopEvent? {
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
