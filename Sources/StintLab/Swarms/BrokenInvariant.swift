import StintUnits

/// Something that must never happen and did.
struct BrokenInvariant: Hashable, Sendable {
  /// What must hold.
  enum Rule: String, Hashable, Sendable, CaseIterable {
    /// No device is on without a complete chain of causes.
    case cause = "no powered interval without a cause"
    /// Devices, clients and rules sum to the same nanojoules.
    case sums = "the three sums are equal"
    /// What a client gets ascends, and is flagged when it is older than facts of its device are believed.
    case freshness = "nothing old is handed out as current"
    /// A demand is paused or stopped only while a rule that says so holds.
    case resumption = "every pause resumes"
    /// A transfer is on its way at its deadline, if a radio is there that no rule stops.
    case deadline = "every deferral ends by its deadline"
    /// Updates that paused look where the phone is within what a pause promises, or tell their client what stops them.
    case wayBack = "every pause has a way back"
    /// What services tell comes in order, nothing twice and nothing lost, to clients that are there.
    case notices = "every notice once and in order"
    /// A task that was taken on ends exactly once, or is still carried.
    case tasks = "every transfer ends once"
    /// State that outlives the daemon is on the disk before a client hears of it. The next daemon restores
    /// all of it.
    case keeping = "what is kept outlives a restart"
    /// Nothing stands, and no device is on, for a client that is gone or a service that ended.
    case gone = "nothing goes on for who is gone"
  }

  var rule: Rule
  /// Since the run's start.
  var at: TimeSpan
  var sentence: String
}
