import StintUnits

/// A violation of an invariant.
struct BrokenInvariant: Hashable, Sendable {
  /// The invariants that must hold.
  enum Rule: String, Hashable, Sendable, CaseIterable {
    /// No device is on without a complete chain of causes.
    case cause = "no powered interval without a cause"
    /// The sums by device, by client and by rule are equal, in nanojoules.
    case sums = "the three sums are equal"
    /// Samples reach a client in ascending order, and samples older than the maximum age of the device's
    /// facts are flagged.
    case freshness = "no stale data is delivered as current"
    /// A demand is paused or stopped only while a rule that demands it is active.
    case resumption = "every pause resumes"
    /// A transfer has started by its deadline if a radio is available that no rule stops.
    case deadline = "every deferral ends by its deadline"
    /// Paused updates probe the position within the promised time, or notify their client of the obstacle.
    case wayBack = "every pause has a way back"
    /// Notices of services arrive in order, without duplicates or losses, at attached clients.
    case notices = "every notice once and in order"
    /// An accepted task ends exactly once, or is still carried.
    case tasks = "every transfer ends once"
    /// State that survives the daemon is on the disk before a client is notified. The next daemon restores
    /// all of it.
    case keeping = "saved state survives a restart"
    /// No demand exists, and no device is on, for a client that is gone or a service that ended.
    case gone = "nothing runs for a client that is gone"
  }

  var rule: Rule
  /// The time since the start of the run.
  var at: TimeSpan
  var sentence: String
}
