import StintModel
public import StintUnits

/// Everything that a daemon's main task waits for, as one question: a daemon is a loop around `next(until:)`.
///
/// Belongs to one task, which runs on the loop; only `notifyReady()` is for everybody.
public final class LoopEvents: Sendable {
  private struct Guarded {
    var machine = LoopEventMachine()
    var waiter: CheckedContinuation<LoopEvent, Never>?
    var burst = ChangeBurst()
    /// When the task last went on with its work.
    var lastTurn = SystemClock.monotonic()
  }

  private let loop: LoopExecutor
  private let signals: SignalPort?
  private let watcher: FolderWatcher?
  private let clock: ClockWatch?
  private let guarded = Locked(Guarded())
  private let alarm: LoopAlarm.ID

  /// Begins to collect.
  ///
  /// - Parameters:
  ///   - signals: these signals no longer end the process; each becomes an event instead. One collection at a
  ///     time may have any.
  ///   - watcher: its changes become an event, once a burst of them is over.
  ///   - watchesClock: whether `ready` comes when the wall clock is set.
  public convenience init(
    on loop: LoopExecutor, signals: [Int32] = [], watching watcher: FolderWatcher? = nil,
    watchesClock: Bool = false
  ) throws(Problem) {
    try self.init(
      on: loop, plan: signals.isEmpty ? nil : SignalPort.Plan(caught: signals), watcher, watchesClock)
  }

  /// Begins to collect for a daemon: every signal is answered as `SignalTable` has it, and the clock is watched.
  public convenience init(daemonOn loop: LoopExecutor, watching watcher: FolderWatcher?) throws(Problem) {
    try self.init(on: loop, plan: .daemon, watcher, true)
  }

  private init(
    on loop: LoopExecutor, plan: SignalPort.Plan?, _ watcher: FolderWatcher?, _ watchesClock: Bool
  ) throws(Problem) {
    self.loop = loop
    if let plan { signals = try SignalPort(plan) } else { signals = nil }
    self.watcher = watcher
    clock = watchesClock ? ClockWatch() : nil
    alarm = loop.reserveAlarm()
    loop.set(
      alarm,
      LoopAlarm(due: { [weak self] in self?.due }, serve: { [weak self] now in self?.clockReads(now) }))
    if let clock {
      loop.watch(clock.descriptor) { [weak self] in
        self?.clock?.rearm()
        self?.notifyReady()
      }
    }
    if let port = self.signals {
      loop.watch(port.descriptor) { [weak self] in self?.collectSignals() }
    }
    if let watcher {
      loop.watch(watcher.descriptor) { [weak self] in self?.collectChanges() }
    }
  }

  deinit {
    loop.set(alarm, nil)
    if let signals { loop.unwatch(signals.descriptor) }
    if let watcher { loop.unwatch(watcher.descriptor) }
    if let clock { loop.unwatch(clock.descriptor) }
  }

  /// Makes the task go on with `ready`. May be called from any thread; more calls before it does are one.
  public func notifyReady() { update { machine in machine.notified() } }

  /// The next thing that happens, or `deadline` once that has passed; without a deadline it waits for ever.
  ///
  /// Other tasks of the loop get a turn at every call, even when something is there already.
  ///
  /// - Precondition: no other task waits here.
  public func next(until deadline: MonotonicInstant? = nil) async -> LoopEvent {
    defer { guarded.withLock { $0.lastTurn = SystemClock.monotonic() } }
    let isLate = deadline.map { SystemClock.monotonic() >= $0 } ?? false
    if isLate || guarded.withLock({ $0.machine.hasEvent }) {
      await Task.yield()
      if let event = guarded.withLock({ $0.machine.take() }) { return event }
      if isLate { return .deadline }
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in suspend(waiter, until: deadline) }
    } onCancel: {
      update { machine in machine.cancelled() }
    }
  }

  /// Whether the task has worked for `LoopExecutor.slice` since its last wait, and owes the loop a turn.
  public var mustPause: Bool {
    let since = guarded.withLock { $0.lastTurn }
    return SystemClock.monotonic() - since >= LoopExecutor.slice
  }

  private func suspend(
    _ waiter: CheckedContinuation<LoopEvent, Never>, until deadline: MonotonicInstant?
  ) {
    let now = SystemClock.monotonic()
    let event = guarded.withLock { guarded in
      let event = guarded.machine.next(until: deadline, at: now)
      if event == nil { guarded.waiter = waiter }
      return event
    }
    if let event {
      waiter.resume(returning: event)
    } else if deadline != nil {
      // A loop that sleeps already has not seen this deadline.
      loop.wake()
    }
  }

  private var due: MonotonicInstant? { guarded.withLock { $0.machine.due } }

  private func clockReads(_ now: MonotonicInstant) { update { machine in machine.clockReads(now) } }

  private func update(_ change: (inout LoopEventMachine) -> LoopEvent?) {
    let (event, waiter) = guarded.withLock { guarded in
      let event = change(&guarded.machine)
      return (event, event == nil ? nil : guarded.waiter.take())
    }
    if let event { waiter?.resume(returning: event) }
  }

  private func collectSignals() {
    guard let numbers = signals?.drain(), !numbers.isEmpty else { return }
    update { machine in machine.signalled(numbers) }
  }

  private func collectChanges() {
    guard let changes = watcher?.drain(), !changes.isEmpty else { return }
    let now = SystemClock.monotonic()
    let due = guarded.withLock { $0.burst.add(changes, at: now) }
    if let due { endBurst(at: due) }
  }

  private func endBurst(at deadline: MonotonicInstant) {
    _ = loop.schedule(at: deadline) { [weak self] in
      guard let self else { return }
      let now = SystemClock.monotonic()
      switch guarded.withLock({ $0.burst.end(at: now) }) {
      case .over(let changes): update { machine in machine.filesChanged(changes) }
      case .waitMore(let later): endBurst(at: later)
      }
    }
  }
}
