public import StintUnits

/// The pace of a daemon: a paced clock, signals that end it, files that change.
public struct EventPace: Pace {
  private let events: LoopEvents
  private let clock: PacedClock

  /// Follows the events of a loop; the clock turns them into the host's time.
  public init(events: LoopEvents, clock: PacedClock) {
    self.events = events
    self.clock = clock
  }

  /// The instant that is now.
  public var now: Instant { clock.instant(at: SystemClock.monotonic()) }

  public var mustStop: Bool { events.mustStop }

  public func wait(until instant: Instant) async -> PaceEvent {
    let deadline = instant == .distantFuture ? nil : clock.reading(for: instant)
    switch await events.next(until: deadline) {
    case .deadline: return .due
    case .ready: return .ready(at: now)
    case .filesChanged: return .filesChanged(at: now)
    case .signal, .cancelled: return .stop(at: now)
    }
  }
}
