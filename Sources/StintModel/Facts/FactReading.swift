public import StintUnits

/// How a fact comes about that its source does not say by itself: the source is read when somebody needs the fact.
public struct FactReading: Hashable, Sendable {
  /// The time between two readings while every value counts; never less passes.
  public var every: TimeSpan
  /// How far the value moves in a second at most, in base units; nil when nobody knows.
  public var steepest: Double?

  /// Makes one; `Manifest.faults()` says what is wrong with it.
  public init(every: TimeSpan, steepest: Double? = nil) {
    self.every = every
    self.steepest = steepest
  }
}
