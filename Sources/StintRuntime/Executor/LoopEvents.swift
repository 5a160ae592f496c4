import StintModel
public import StintUnits

/// The events for the main task of a daemon: signals, file changes, notifications, deadlines. A daemon is a
/// loop around `next(until:)`.
///
/// Only one task may use this object, and that task must run on the loop. Only `notifyReady()` and `stop()`
/// may be called from other tasks and threads.
public final class LoopEvents: Sendable {
  private struct Guarded {
    var machine = LoopEventMachine()
    var waiter: CheckedContinuation<LoopEvent, Never>?
    var burst = ChangeBurst()
    /// Events of the watcher whose changes are not determined yet.
    var fileEvents: [FileEvent] = []
    /// True while another thread determines the changes for such events.
    var isFollowing = false
    /// The time at which the last call of `next(until:)` returned.
    var lastTurn = SystemClock.monotonic()
  }

  /// The descriptors that cause events.
  private struct Sources {
    let signals: SignalPort?
    let watcher: FolderWatcher?
    let clock: ClockWatch?
  }

  private let loop: LoopExecutor
  private let files: FileWorker
  /// Nil after `close()`.
  private let sources: Locked<Sources?>
  private let guarded = Locked(Guarded())
  private let alarm: LoopAlarm.ID

  /// Starts to collect events.
  ///
  /// - Parameters:
  ///   - loop: the loop that runs the task.
  ///   - signals: signals that become events instead of ending the process. Only one object in the process
  ///     may have signals at a time.
  ///   - watcher: the object that reports file changes; a burst of changes is one event.
  ///   - watchesClock: true to get `ready` when the wall clock is set or the machine resumes from suspension.
  ///   - files: the worker on whose threads the changes in folders are determined; nil for a worker without
  ///     a log.
  ///   - interval: the interval at which `filesChanged` occurs even without a known change, for files that
  ///     cannot be watched. With nil, `filesChanged` occurs only after changes.
  public convenience init(
    on loop: LoopExecutor, signals: [Int32] = [], watching watcher: FolderWatcher? = nil,
    watchesClock: Bool = false, files: FileWorker? = nil, rechecking interval: TimeSpan? = nil
  ) throws(Problem) {
    try self.init(
      on: loop, plan: signals.isEmpty ? nil : SignalPort.Plan(caught: signals), watcher, watchesClock, files)
    if let interval { recheck(after: interval) }
  }

  /// Starts to collect events for a daemon: all signals according to `SignalTable`, and changes of the clock.
  public convenience init(
    daemonOn loop: LoopExecutor, watching watcher: FolderWatcher?, files: FileWorker? = nil,
    rechecking interval: TimeSpan? = nil
  ) throws(Problem) {
    try self.init(on: loop, plan: .daemon, watcher, true, files)
    if let interval { recheck(after: interval) }
  }

  private init(
    on loop: LoopExecutor, plan: SignalPort.Plan?, _ watcher: FolderWatcher?, _ watchesClock: Bool,
    _ files: FileWorker?
  ) throws(Problem) {
    self.loop = loop
    self.files = files ?? FileWorker(on: loop, log: .none)
    let signals = plan == nil ? nil : try plan.map(SignalPort.init)
    let clock = watchesClock ? ClockWatch() : nil
    sources = Locked(Sources(signals: signals, watcher: watcher, clock: clock))
    alarm = loop.reserveAlarm()
    loop.set(
      alarm,
      LoopAlarm(due: { [weak self] in self?.due }, serve: { [weak self] now in self?.expire(now) }))
    if let clock {
      loop.watch(clock.descriptor) { [weak self] in
        self?.sources.withLock { $0?.clock?.rearm() }
        self?.notifyReady()
      }
    }
    if let signals {
      loop.watch(signals.descriptor) { [weak self] in self?.collectSignals() }
    }
    if let watcher {
      loop.watch(watcher.descriptor) { [weak self] in self?.collectChanges() }
    }
  }

  deinit { close() }

  /// True when the system reports changes of files.
  public var watchesFiles: Bool { sources.withLock { $0?.watcher != nil } }

  /// Closes all descriptors and removes the deadline. Events of `notifyReady()` and `stop()` still arrive;
  /// signals, file changes and clock changes do not. The object may be kept for any time after this call.
  public func close() {
    loop.set(alarm, nil)
    guard let sources = sources.withLock({ $0.take() }) else { return }
    for descriptor in [
      sources.signals?.descriptor, sources.watcher?.descriptor, sources.clock?.descriptor,
    ] {
      if let descriptor { loop.unwatch(descriptor) }
    }
  }

  /// Causes the event `filesChanged` after each interval until `close()`.
  private func recheck(after interval: TimeSpan) {
    _ = loop.schedule(at: SystemClock.monotonic() + interval) { [weak self] in
      guard let self, sources.withLock({ $0 != nil }) else { return }
      update { machine in machine.filesChanged([FileChange(path: ".", kind: .missed)]) }
      recheck(after: interval)
    }
  }

  /// Causes the event `ready`. May be called from any thread. Several calls before the delivery cause
  /// one event.
  public func notifyReady() { update { machine in machine.notified() } }

  /// Causes the event `cancelled` now and in every later wait. May be called from any thread.
  public func stop() { update { machine in machine.cancelled() } }

  /// Waits for the next event. Returns `deadline` when the deadline has passed. A deadline of nil waits
  /// without limit.
  ///
  /// Each call lets other tasks of the loop run, even when an event is already available.
  ///
  /// - Precondition: no other task waits for an event of this object.
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

  /// True when the task has worked for `LoopExecutor.slice` (10 ms) since `next(until:)` last returned. The
  /// task should then call `next(until:)` again, so that other tasks can run.
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
      // Wake the loop: a sleeping loop has not read this deadline.
      loop.wake()
    }
  }

  private var due: MonotonicInstant? { guarded.withLock { $0.machine.due } }

  private func expire(_ now: MonotonicInstant) { update { machine in machine.expire(now) } }

  private func update(_ change: (inout LoopEventMachine) -> LoopEvent?) {
    let (event, waiter) = guarded.withLock { guarded in
      let event = change(&guarded.machine)
      return (event, event == nil ? nil : guarded.waiter.take())
    }
    if let event { waiter?.resume(returning: event) }
  }

  private func collectSignals() {
    guard let numbers = sources.withLock({ $0?.signals?.drain() }), !numbers.isEmpty else { return }
    update { machine in machine.signalled(numbers) }
  }

  private func collectChanges() {
    guard let watcher = sources.withLock({ $0?.watcher }) else { return }
    let events = watcher.read()
    let begins = guarded.withLock { guarded in
      guarded.fileEvents += events
      defer { guarded.isFollowing = true }
      return !guarded.isFollowing
    }
    if begins { followEvents(of: watcher) }
  }

  /// Determines the changes of all events, on another thread, because this work accesses the folders.
  private func followEvents(of watcher: FolderWatcher) {
    let events = guarded.withLock { guarded in
      defer { guarded.fileEvents = [] }
      if guarded.fileEvents.isEmpty { guarded.isFollowing = false }
      return guarded.fileEvents
    }
    guard !events.isEmpty else { return }
    files.start("following changed folders", watcher.place) {
      watcher.changes(of: events)
    } report: { [weak self] changes in
      self?.note(changes)
      self?.followEvents(of: watcher)
    }
  }

  private func note(_ changes: [FileChange]) {
    guard !changes.isEmpty else { return }
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
