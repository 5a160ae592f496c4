public import StintUnits

/// When updates pause: all through a window of time the position stayed within reach of where it was at its start.
public struct PauseRule: Hashable, Sendable {
  public var window: TimeSpan
  /// Metres; 0: nothing beyond the noise of the fixes counts as staying.
  public var reach: Double

  /// Makes a rule.
  public init(window: TimeSpan, reach: Double) {
    self.window = window
    self.reach = reach
  }
}
