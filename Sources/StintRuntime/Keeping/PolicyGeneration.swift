public import StintUnits

/// A set of policies that is or was in force.
public struct PolicyGeneration: Hashable, Sendable {
  /// The origin of the policies.
  public enum Origin: String, Hashable, Sendable, CaseIterable {
    /// Read from the watched folder.
    case file
    /// Sent through the control socket.
    case push
    /// Restored by a rollback.
    case rollback
  }

  /// The policy files.
  public var policies: [JournalPolicy]
  /// The origin of the policies.
  public var origin: Origin
  /// The instant at which the policies came into force.
  public var since: Instant

  /// Creates a generation.
  public init(policies: [JournalPolicy], origin: Origin, since: Instant) {
    self.policies = policies
    self.origin = origin
    self.since = since
  }
}
