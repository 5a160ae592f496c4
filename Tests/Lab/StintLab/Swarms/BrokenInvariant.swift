import StintUnits

struct BrokenInvariant: Hashable, Sendable {
  /// The invariants that must hold.
  enum Rule: String, Hashable, Sendable, CaseIterable {
    /// No device is on without a complete chain of causes.
    case cause = "no powered interval without a cause"
    /// The sums by device, by client and by rule are equal, in nanojoules.
    case sums = "the three sums are equal"
    /// The samples of a batch are in order of time, and no sample is from the future. Samples and positions
    /// that a client gets as current are not older than their maximum age.
    case freshness = "no stale data is delivered as current"
    /// A demand is paused or stopped only while at least one of the rules that pause or stop it is in force.
    case resumption = "every paused demand resumes"
    /// A transfer has started by its deadline, unless no radio is available or rules stop every radio. A
    /// deferral of updates ends, and a request for one fix is answered, by its deadline.
    case deadline = "every deferral ends by its deadline"
    /// While a service for location updates is paused, it probes the position at least once in
    /// `WatchedService.longestTimeWithoutProbe`.
    case probesWhilePaused = "a paused service probes the position"
    /// Notices of services arrive in order, without duplicates or losses, at attached clients.
    case notices = "every notice once and in order"
    /// An accepted transfer task ends exactly once, or its session still has it at the end of the run.
    case tasks = "every transfer ends once"
    /// State that must survive the daemon is on the disk before a client receives a notice that depends on
    /// this state. The next daemon restores all saved state.
    case keeping = "saved state survives a restart"
    /// No demand exists, and no device is on, for a client that is gone or a service that ended.
    case gone = "nothing runs for a client that is gone"
  }

  var rule: Rule
  /// The time since the start of the run.
  var at: TimeSpan
  var sentence: String
}
