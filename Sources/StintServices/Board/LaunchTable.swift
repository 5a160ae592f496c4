import StintModel
import StintUnits

/// The clients whose processes were launched and have not attached yet.
struct LaunchTable: Sendable {
  private var pending: [ClientID: PendingLaunch] = [:]

  var isEmpty: Bool { pending.isEmpty }

  /// The next instant at which a launch is repeated.
  var nextTimer: Instant { pending.values.reduce(.distantFuture) { min($0, $1.next) } }

  /// The launches with their reasons, sorted by client.
  var all: [(client: ClientID, reason: LaunchReason)] {
    pending.map { (client: $0.key, reason: $0.value.reason) }.sorted { $0.client < $1.client }
  }

  /// Adds a launch. Returns false when the client was launched already.
  mutating func add(_ client: ClientID, _ reason: LaunchReason, at instant: Instant) -> Bool {
    guard pending[client] == nil else { return false }
    pending[client] = PendingLaunch(reason, at: instant)
    return true
  }

  /// Removes the launch of a client, because it attached or was removed.
  mutating func remove(_ client: ClientID) { pending[client] = nil }

  /// Returns the launches to repeat at an instant, sorted by client.
  mutating func repeatDue(at instant: Instant) -> [(client: ClientID, reason: LaunchReason)] {
    let due = all.filter { pending[$0.client].map { $0.next <= instant } == true }
    for launch in due { pending[launch.client]?.retry(at: instant) }
    return due
  }
}

/// A client's process that was launched and has not attached yet.
private struct PendingLaunch: Sendable {
  let reason: LaunchReason
  /// The instant of the next launch attempt.
  private(set) var next: Instant
  private var wait = TimeSpan.minutes(1)

  /// The longest wait between two attempts.
  private static let longestWait = TimeSpan.hours(1)

  init(_ reason: LaunchReason, at instant: Instant) {
    self.reason = reason
    next = instant + wait
  }

  /// Records another attempt and doubles the wait.
  mutating func retry(at instant: Instant) {
    wait = min(wait * 2, Self.longestWait)
    next = instant + wait
  }
}
