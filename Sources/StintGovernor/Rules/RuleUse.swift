public import StintUnits

/// The use of a rule: how often and how long it held.
public struct RuleUse: Hashable, Sendable {
  /// The number of times that the rule began to hold, or acted.
  public internal(set) var count = 0
  /// The total time for which the rule held, without the present activation.
  public internal(set) var total = TimeSpan.zero
  /// The instant since which the rule holds; nil when it does not hold.
  public internal(set) var since: Instant?

  /// Records that the rule began or ceased to hold.
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
