public import StintUnits

/// How good the positions were that a client got.
public struct AccuracyScore: Hashable, Sendable {
  /// How many fixes were judged.
  public var fixes: Int
  /// Fixes that came after later ones were known; they count nowhere else.
  public var late: Int
  /// The error in metres that half of the fixes do not exceed; nil without fixes.
  public var median: Double?
  /// The error in metres that 95 of 100 fixes do not exceed; nil without fixes.
  public var percentile95: Double?
  /// The longest time between two fixes that follow each other; zero with fewer than two.
  public var worstGap: TimeSpan
  /// Of the whole seconds in which the phone moved, the share at which the latest fix was within the asked
  /// accuracy of the truth; nil when it never moved or no accuracy was asked.
  public var withinBound: Double?
  /// Whole seconds in which the phone moved while the client asked.
  public var movingSeconds: Int
}
