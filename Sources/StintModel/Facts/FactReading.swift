public import StintUnits

/// How to read a fact that its source does not publish by itself. It is read when a rule or service needs it.
public struct FactReading: Hashable, Sendable {
  /// The time between two readings while every value counts; never less passes.
  public var every: TimeSpan
  /// The most that the value moves in a second, in base units; nil when unknown.
  public var steepest: Double?

  /// Makes one; `Manifest.faults()` says what is wrong with it.
  public init(every: TimeSpan, steepest: Double? = nil) {
    self.every = every
    self.steepest = steepest
  }
}
