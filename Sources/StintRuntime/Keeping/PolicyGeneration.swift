public import StintUnits

/// Policies that were in force for a while.
public struct PolicyGeneration: Hashable, Sendable {
  /// How they came into force.
  public enum Origin: String, Hashable, Sendable, CaseIterable {
    /// Read from the folder that is watched.
    case file
    /// Handed in.
    case push
    /// Gone back to.
    case rollback
  }

  public var policies: [JournalPolicy]
  public var origin: Origin
  public var since: Instant

  /// Makes a generation.
  public init(policies: [JournalPolicy], origin: Origin, since: Instant) {
    self.policies = policies
    self.origin = origin
    self.since = since
  }
}
