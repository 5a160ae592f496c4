public import StintUnits

/// The use of a rule: how often and how long it was active.
public struct RuleUse: Hashable, Sendable {
  /// The number of times that the rule became active, or acted.
  public internal(set) var count = 0
  /// The total time for which the rule was active, without the present activation.
  public internal(set) var total = TimeSpan.zero
  /// The instant since which the rule is active; nil while it is inactive.
  public internal(set) var since: Instant?

  /// Records that the rule became active or inactive.
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
