import StintModel
public import StintUnits

/// Waits on a loop: for the clock, or for a request for attention.
///
/// With a clock, an instant comes when the clock says so. Without one, time is virtual: it passes at once, as long
/// as `mayPass` allows.
public final class LoopPacer: Pace {
  /// The kind of a request for attention.
  public enum WakeReason: Hashable, Sendable {
    /// A device or a client has something.
    case ready
    /// Policy files changed.
    case filesChanged
    /// The host shall end.
    case stop
  }

  private struct State {
    var wanted: Set<WakeReason> = []
    var waiter: Promise<Void>?
    var now: Instant
    /// When the host last went on with its work, by the steady clock.
    var lastTurn = MonotonicInstant(nanoseconds: 0)
  }

  private let loop: LoopExecutor
  private let clock: RunClock?
  private let mayPass: @Sendable () -> Bool
  private let state: Locked<State>
  public let wallClock: WallClock?
  private let watch: ClockWatch?

  /// Makes a pace that starts at `start`; with a wall clock, the host hears when that is set.
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

  /// Ends the wait that is going on, or the next one. May be called from any thread.
  public func notify(_ attention: WakeReason) {
    state.withLock { state in
      state.wanted.insert(attention)
      return state.waiter
    }?.fill(())
  }

  /// Looks again whether time may pass.
  public func reconsider() { state.withLock { $0.waiter }?.fill(()) }

  /// The instant that is now.
  public var now: Instant {
    clock.map { $0.instant(at: SystemClock.monotonic()) } ?? state.withLock { $0.now }
  }

  /// In virtual time false, so that a run is the same however long the processor takes for it.
  public var mustPause: Bool {
    clock != nil && SystemClock.monotonic() - state.withLock { $0.lastTurn } >= LoopExecutor.slice
  }

  public func wait(until instant: Instant) async -> WaitResult {
    // A host that is behind would keep the loop to itself.
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
      // A reader may have taken a batch between the check and the wait.
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
