public import StintModel
public import StintUnits

/// A validated message from a plugin.
public enum PluginMessage: Hashable, Sendable {
  /// The plugin's description matches the manifest, and the plugin can be opened.
  case described
  case opened
  /// The plugin answered a drain. The answer to a setting is an `outcome`.
  case answered
  case outcome(Outcome, at: Instant)
  case batch(Batch, at: Instant)
  /// A value of the fact at this index of the manifest; it has the type of the fact. The port drops a number
  /// outside the manifest's range.
  case fact(Int, FactValue, at: Instant)
  case available(Bool, at: Instant)
  /// The transfer of this demand is complete.
  case carried(DemandID, at: Instant)
  /// A carrier's report about one attempt of a transfer task: its progress or its result.
  case transferred(AttemptReport, at: Instant)
  /// The plugin stopped a transfer that the host no longer needs.
  case abandoned
  /// The plugin reported more faults than its rate limit permits. The host does not report this fault;
  /// `ChildConversation.faults` counts it as dropped.
  case dropped
  case closed
}
