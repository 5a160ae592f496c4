import StintUnits

/// A client's process that was started and has not attached yet.
struct PendingLaunch: Sendable {
  let reason: LaunchReason
  /// When it is tried again.
  private(set) var next: Instant
  private var wait = TimeSpan.minutes(1)

  /// The longest wait between two attempts.
  static let longestWait = TimeSpan.hours(1)

  init(_ reason: LaunchReason, at instant: Instant) {
    self.reason = reason
    next = instant + wait
  }

  /// It was tried again; each wait is twice the last.
  mutating func retry(at instant: Instant) {
    wait = min(wait * 2, Self.longestWait)
    next = instant + wait
  }
}
