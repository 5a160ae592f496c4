import StintModel
public import StintUnits

/// A pace on a loop: waits for the clock or for a wake request.
///
/// Without a clock, time is virtual: it advances at once while `mayPass` returns true.
public final class LoopPacer: Pace {
  /// The reason for a wake request.
  public enum WakeReason: Hashable, Sendable {
    /// A device or a client needs the host.
    case ready
    /// Policy files changed.
    case filesChanged
    /// The host must stop.
    case stop
  }

  private struct State {
    var wanted: Set<WakeReason> = []
    var waiter: Promise<Void>?
    var now: Instant
    /// The monotonic time at which the last wait ended.
    var lastTurn = MonotonicInstant(nanoseconds: 0)
  }

  private let loop: LoopExecutor
  private let clock: RunClock?
  private let mayPass: @Sendable () -> Bool
  private let state: Locked<State>
  /// The wall clock of the run; nil in virtual time.
  public let wallClock: WallClock?
  private let watch: ClockWatch?

  /// Creates a pace that starts at `start`. With a wall clock, the host is woken when the clock is set.
  public init(
    loop: LoopExecutor, clock: RunClock?, start: Instant, wallClock: WallClock? = nil,
    mayPass: @escaping @Sendable () -> Bool = { true }
  ) {
    self.loop = loop
    self.clock = clock
    self.wallClock = wallClock
    self.mayPass = mayPass
    state = Locked(State(now: start))
    watch = wallClock == nil ? nil : ClockWatch()
    if let watch {
      loop.watch(watch.descriptor) { [weak self] in
        self?.watch?.rearm()
        self?.notify(.ready)
      }
    }
  }

  deinit { if let watch { loop.unwatch(watch.descriptor) } }

  /// Ends the current wait or the next one. May be called from any thread.
  public func notify(_ attention: WakeReason) {
    state.withLock { state in
      state.wanted.insert(attention)
      return state.waiter
    }?.fill(())
  }

  /// Evaluates `mayPass` again. Call it when its result may have changed. May be called from any thread.
  public func reconsider() { state.withLock { $0.waiter }?.fill(()) }

  /// The current instant of the run.
  public var now: Instant {
    clock.map { $0.instant(at: SystemClock.monotonic()) } ?? state.withLock { $0.now }
  }

  /// Always false in virtual time, so that runs do not depend on the speed of the processor.
  public var mustPause: Bool {
    clock != nil && SystemClock.monotonic() - state.withLock { $0.lastTurn } >= LoopExecutor.slice
  }

  public func wait(until instant: Instant) async -> WaitResult {
    // A host that is behind schedule would otherwise block the other tasks of the loop.
    if mustPause { await Task.yield() }
    defer { if clock != nil { state.withLock { $0.lastTurn = SystemClock.monotonic() } } }
    return await event(until: instant)
  }

  private func event(until instant: Instant) async -> WaitResult {
    while true {
      if let event = wantedEvent() { return event }
      if hasCome(instant) { return .due }
      let signal = Promise<Void>()
      let isWanted = state.withLock { state in
        state.waiter = signal
        return !state.wanted.isEmpty
      }
      if isWanted { continue }
      // Check again: `mayPass` may have become true between the first check and the setting of `waiter`, for
      // example because a client has read a batch.
      if clock == nil, instant != .distantFuture, mayPass() { continue }
      let timer = clock.flatMap { clock in
        instant == .distantFuture ? nil : loop.schedule(at: clock.reading(for: instant)) { signal.fill(()) }
      }
      await signal.value()
      if let timer { loop.unschedule(timer) }
      state.withLock { $0.waiter = nil }
    }
  }

  private func hasCome(_ instant: Instant) -> Bool {
    if let clock { return clock.instant(at: SystemClock.monotonic()) >= instant }
    guard instant != .distantFuture, mayPass() else { return false }
    state.withLock { $0.now = max($0.now, instant) }
    return true
  }

  private func wantedEvent() -> WaitResult? {
    let now = now
    return state.withLock { state in
      if state.wanted.contains(.stop) { return .stop(at: now) }
      if state.wanted.remove(.ready) != nil { return .ready(at: now) }
      if state.wanted.remove(.filesChanged) != nil { return .filesChanged(at: now) }
      return nil
    }
  }
}
