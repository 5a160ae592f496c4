public import StintUnits

/// How much a rule has been at work.
public struct RuleUse: Hashable, Sendable {
  /// How often it came to hold, or acted.
  public internal(set) var count = 0
  /// How long it has held in all.
  public internal(set) var total = TimeSpan.zero
  /// Since when it holds; nil when it does not.
  public internal(set) var since: Instant?

  /// Counts that the rule came to hold, or that it holds no more.
  mutating func changes(to holds: Bool, at now: Instant) {
    if holds {
      count += 1
      since = now
    } else if let since {
      total += now - since
      self.since = nil
    }
  }
}
