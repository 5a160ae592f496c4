public import StintUnits

/// The `HostClock` of a daemon. It waits in real time for deadlines, signals and file changes.
public struct DaemonClock: HostClock {
  private let events: LoopEvents
  private let clock: RunClock
  /// The wall clock of the run.
  public let wallClock: WallClock?

  private let onSignal: @Sendable (Int32) -> Void

  /// Creates a clock from the events of a loop. `clock` converts monotonic times to instants of the run.
  ///
  /// - Parameter onSignal: called for each signal before the host responds to the signal according
  ///   to `SignalTable`.
  public init(
    events: LoopEvents, clock: RunClock, wallClock: WallClock? = nil,
    onSignal: @escaping @Sendable (Int32) -> Void = { _ in }
  ) {
    self.events = events
    self.clock = clock
    self.wallClock = wallClock
    self.onSignal = onSignal
  }

  /// The current instant of the run.
  public var now: Instant { clock.instant(at: SystemClock.monotonic()) }

  public var mustPause: Bool { events.mustPause }

  public var suspended: TimeSpan { SystemClock.suspended() }

  public func wait(until instant: Instant) async -> WaitResult {
    let deadline = instant == .distantFuture ? nil : clock.reading(for: instant)
    switch await events.next(until: deadline) {
    case .deadline: return .due
    case .ready: return .ready(at: now)
    case .filesChanged: return .filesChanged(at: now)
    case .signal(let number):
      onSignal(number)
      switch SignalTable.response(to: number) {
      case .reload: return .filesChanged(at: now)
      case .refuse, .ignore, .leave: return .ready(at: now)
      case .end, .endIfSent, .uncatchable: return .stop(at: now)
      }
    case .cancelled: return .stop(at: now)
    }
  }
}
