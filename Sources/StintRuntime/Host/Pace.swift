public import StintUnits

/// How a host waits for the next thing to do.
public protocol Pace: Sendable {
  /// The instant that is now; a host that is behind catches up to it before it waits again.
  var now: Instant { get }
  /// Waits until `instant`, or until something else wants attention.
  func wait(until instant: Instant) async -> WaitResult
  /// Whether a host that is behind must wait before its next step, so that signals, questions and clients get a turn.
  ///
  /// True once the host has worked for 10 ms without a wait.
  var mustPause: Bool { get }
  /// The wall clock that local time follows; nil where time is virtual.
  var wallClock: WallClock? { get }
}

extension Pace {
  public var mustPause: Bool { false }
  public var wallClock: WallClock? { nil }
}

/// Why a wait ended.
public enum WaitResult: Hashable, Sendable {
  /// The instant has come.
  case due
  /// A device has something, or a client asked for something; the instant is now.
  case ready(at: Instant)
  /// Policy files changed; the instant is now.
  case filesChanged(at: Instant)
  /// The host shall end; the instant is now.
  case stop(at: Instant)

  /// The instant that came with it; nil when it is the one that was waited for.
  var instant: Instant? {
    switch self {
    case .due: nil
    case .ready(let instant), .filesChanged(let instant), .stop(let instant): instant
    }
  }
}
