public import StintUnits

/// The clock of a host. It returns the current instant and waits for the next event, in real time or in
/// virtual time.
public protocol HostClock: Sendable {
  /// The current instant. A host that is behind handles the events up to this instant before it calls `wait`
  /// again, unless `mustPause` is true.
  var now: Instant { get }
  /// Waits until `instant`, or until a device or client needs the host, files change, or the host must stop.
  func wait(until instant: Instant) async -> WaitResult
  /// True when a host that is behind schedule must call `wait` before its next step. Signals, requests and
  /// clients are served during the wait.
  ///
  /// In real time, the value is true after the host has worked for 10 ms without a wait. In virtual time, it
  /// is always false.
  var mustPause: Bool { get }
  /// The wall clock that determines local time; nil in virtual time.
  var wallClock: WallClock? { get }
  /// The total time for which the system was suspended; zero in virtual time.
  var suspended: TimeSpan { get }
}

extension HostClock {
  public var mustPause: Bool { false }
  public var wallClock: WallClock? { nil }
  public var suspended: TimeSpan { .zero }
}

/// The reason for the end of a wait.
public enum WaitResult: Hashable, Sendable {
  /// The awaited instant was reached.
  case due
  /// A device or a client needs the host. The value is the current instant.
  case ready(at: Instant)
  /// Policy files changed. The value is the current instant.
  case filesChanged(at: Instant)
  /// The host must stop. The value is the current instant.
  case stop(at: Instant)

  /// The instant of the event; nil when it is the awaited instant.
  var instant: Instant? {
    switch self {
    case .due: nil
    case .ready(let instant), .filesChanged(let instant), .stop(let instant): instant
    }
  }
}
