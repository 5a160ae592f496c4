import StintRuntime
public import StintUnits

/// A decision that differs under another policy, with the interval during which it differs.
public struct DecisionDivergence: Hashable, Sendable {
  /// The decision under one of the two policies.
  public struct Side: Hashable, Sendable {
    /// The decision: `off`, `on, accuracy 10 m`, `paused`; nil when there is no decision about the subject.
    public var decision: String?
    /// The cause: clients, demands and rules; nil without a cause.
    public var cause: String?
  }

  /// The instant at which the decisions begin to differ.
  public var instant: Instant
  /// The instant at which the decisions are equal again, or at which one of the decisions changes. Nil for a
  /// one-time action, and for decisions that differ until the end of the journal.
  public var until: Instant?
  /// The subject of the decision: `set location.gnss`, `grant trail-app #1 location.gnss`,
  /// `act hiking/report`.
  public var subject: String
  /// The decision under the journal's policies.
  public var old: Side
  /// The decision under the candidate policy.
  public var new: Side
}
