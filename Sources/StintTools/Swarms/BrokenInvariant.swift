public import StintUnits

/// Something that must never happen and did.
public struct BrokenInvariant: Hashable, Sendable {
  /// What must hold.
  public enum Rule: String, Hashable, Sendable, CaseIterable {
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
  }

  public var rule: Rule
  /// Since the run's start.
  public var at: TimeSpan
  public var sentence: String
}
