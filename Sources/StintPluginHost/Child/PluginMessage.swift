public import StintModel
public import StintUnits

/// What a plugin's frame means to the host, verified.
public enum PluginMessage: Hashable, Sendable {
  /// It is who it should be: it can be opened.
  case described
  case opened
  /// It answered a setting or a drain.
  case answered
  case outcome(Outcome, at: Instant)
  case batch(Batch, at: Instant)
  case fact(Int, FactValue, at: Instant)
  case available(Bool, at: Instant)
  case closed
}
