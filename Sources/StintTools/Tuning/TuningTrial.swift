public import StintUnits

/// One setting of the parameters, and what came of it.
public struct TuningTrial: Hashable, Sendable {
  /// What it costs and how good it is over some tracks.
  public struct Score: Hashable, Sendable {
    /// Above what devices draw for nobody.
    public var energy: Energy
    /// The share of the time in which positions were as good as asked, where any are; else of transfers in time.
    public var quality: Double

    /// Whether this is at least as good in both, and better in one.
    public func beats(_ other: Score) -> Bool {
      energy <= other.energy && quality >= other.quality && self != other
    }
  }

  /// By parameter, in the order of the policy.
  public var values: [Quantity]
  public var score: Score
  /// On the tracks that were held back; nil unless it is on the frontier.
  public var heldBack: Score?
}
