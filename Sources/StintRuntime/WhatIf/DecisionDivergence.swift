public import StintUnits

/// Something that is decided otherwise under another policy, for as long as both say the same again.
public struct DecisionDivergence: Hashable, Sendable {
  /// One side of a flip.
  public struct Side: Hashable, Sendable {
    /// What stands: `off`, `on, accuracy 10 m`, `paused`; nil where there is nothing of the kind.
    public var decision: String?
    /// Why: clients, demands and rules; nil without a cause.
    public var cause: String?

    /// Makes a side.
    public init(decision: String?, cause: String?) {
      self.decision = decision
      self.cause = cause
    }
  }

  public var instant: Instant
  /// When both decide the same again, or one of them decides again. Nil for single events, and for what lasts
  /// to the end.
  public var until: Instant?
  /// What it is about: `set location.gnss`, `grant trail-app #1 location.gnss`, `act hiking/report`.
  public var subject: String
  public var old: Side
  public var new: Side

  /// Makes a flip.
  public init(instant: Instant, until: Instant?, subject: String, old: Side, new: Side) {
    self.instant = instant
    self.until = until
    self.subject = subject
    self.old = old
    self.new = new
  }
}
