public import StintUnits

/// The pace of a daemon: a paced clock, signals that end it, files that change.
public struct DaemonPacer: Pace {
  private let events: LoopEvents
  private let clock: RunClock
  public let wallClock: WallClock?

  private let onSignal: @Sendable (Int32) -> Void

  /// Follows the events of a loop; the clock turns them into the host's time.
  ///
  /// - Parameter onSignal: called for every signal before the host answers it as `SignalTable` has it.
  public init(
    events: LoopEvents, clock: RunClock, wallClock: WallClock? = nil,
    onSignal: @escaping @Sendable (Int32) -> Void = { _ in }
  ) {
    self.events = events
    self.clock = clock
    self.wallClock = wallClock
    self.onSignal = onSignal
  }

  /// The instant that is now.
  public var now: Instant { clock.instant(at: SystemClock.monotonic()) }

  public var mustPause: Bool { events.mustPause }

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
