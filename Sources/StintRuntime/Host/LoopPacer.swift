import StintModel
public import StintUnits

/// A pace on a loop: waits for the clock or for a wake request.
public final class LoopPacer: WakeablePace {
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
    var requests: Set<WakeReason> = []
    var waiter: Promise<Void>?
    /// The monotonic time at which the last wait ended.
    var lastTurn = MonotonicInstant(nanoseconds: 0)
  }

  private let loop: LoopExecutor
  private let clock: RunClock
  private let state = Locked(State())
  /// The wall clock of the run.
  public let wallClock: WallClock?
  private let watch: ClockWatch?

  /// Creates a pace that follows a clock. With a wall clock, the host is woken when the clock is set.
  public init(loop: LoopExecutor, clock: RunClock, wallClock: WallClock? = nil) {
    self.loop = loop
    self.clock = clock
    self.wallClock = wallClock
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
  public func notify(_ reason: WakeReason) {
    state.withLock { state in
      state.requests.insert(reason)
      return state.waiter
    }?.fill(())
  }

  /// The current instant of the run.
  public var now: Instant { clock.instant(at: SystemClock.monotonic()) }

  public var mustPause: Bool {
    SystemClock.monotonic() - state.withLock { $0.lastTurn } >= LoopExecutor.slice
  }

  public func wait(until instant: Instant) async -> WaitResult {
    // A host that is behind schedule would otherwise block the other tasks of the loop.
    if mustPause { await Task.yield() }
    defer { state.withLock { $0.lastTurn = SystemClock.monotonic() } }
    return await event(until: instant)
  }

  private func event(until instant: Instant) async -> WaitResult {
    while true {
      if let event = requestedEvent() { return event }
      if now >= instant { return .due }
      let signal = Promise<Void>()
      let hasRequest = state.withLock { state in
        state.waiter = signal
        return !state.requests.isEmpty
      }
      if hasRequest { continue }
      let timer =
        instant == .distantFuture ? nil : loop.schedule(at: clock.reading(for: instant)) { signal.fill(()) }
      await signal.value()
      if let timer { loop.unschedule(timer) }
      state.withLock { $0.waiter = nil }
    }
  }

  private func requestedEvent() -> WaitResult? {
    let now = now
    return state.withLock { state in
      if state.requests.contains(.stop) { return .stop(at: now) }
      if state.requests.remove(.ready) != nil { return .ready(at: now) }
      if state.requests.remove(.filesChanged) != nil { return .filesChanged(at: now) }
      return nil
    }
  }
}
