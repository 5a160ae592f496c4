public import StintModel
public import StintUnits

/// The value of a fact that a reading has found.
public struct ReadFact: Hashable, Sendable {
  /// The index of the fact in the manifest.
  public var fact: Int
  /// The value; it has the type of the fact.
  public var value: FactValue
  /// The instant at which the plugin published the value.
  public var instant: Instant
}

/// A validated message from a plugin.
public enum PluginMessage: Hashable, Sendable {
  /// The plugin's description matches the manifest, and the plugin can be opened.
  case described
  /// The plugin answered `open` and serves now.
  case opened
  /// The plugin answered `drain`, the request for its stored samples.
  case answered
  /// The plugin answered `read`, with the facts that it has published for this reading.
  case read([ReadFact])
  /// A power state, an event that costs energy, or a fault. The answer to a setting is a power state or a
  /// fault.
  case outcome(Outcome, at: Instant)
  /// Samples with the device's sequence numbers, oldest first.
  case batch(Batch, at: Instant)
  /// A value of the fact at this index of the manifest; it has the type of the fact. The port drops a number
  /// outside the manifest's range.
  case fact(Int, FactValue, at: Instant)
  /// A value of the fact with this key, of the family at this index of the manifest; it has the type of the
  /// family. The port drops a number outside the manifest's range, and a key beyond the number of keys.
  case keyed(Int, key: String, FactValue, at: Instant)
  /// The hardware became available or unavailable. See `FrameLayout.minorWithAbsence` for the consequences.
  case available(Bool, at: Instant)
  /// The transfer of this demand is complete.
  case carried(DemandID, at: Instant)
  /// A carrier's report about one attempt of a transfer task: its progress or its result.
  case transferred(AttemptReport, at: Instant)
  /// The plugin stopped a transfer that the host had cancelled, or had completed this transfer before it
  /// received the cancellation.
  case abandoned
  /// A message that has no effect now: a message about an absent device, or a fact of a reading in progress.
  case ignored
  /// The plugin reported more faults than its rate limit permits. The host does not report this fault;
  /// `ChildConversation.faults` counts it as dropped.
  case dropped
  /// The process requests one wake-up within this time span.
  case wakeAt(earliest: Instant, latest: Instant)
  /// The plugin answered `close`; this is its last message.
  case closed
}
