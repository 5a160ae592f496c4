import StintPluginKit
import StintUnits

/// A rate limit for the faults that a plugin reports: twenty at once, then one every five seconds.
///
/// Each fault is a line in the log and a record in the journal. Without a limit, a plugin could fill the disk
/// and displace the records of all other devices.
struct FaultBudget: Hashable, Sendable {
  private static let perSecond = 0.2
  private static let most = 20.0

  private var budget: RateBudget
  /// The number of faults beyond the limit.
  private(set) var dropped = 0

  init(at now: Instant) {
    budget = RateBudget(perSecond: Self.perSecond, most: Self.most, at: now)
  }

  /// Charges one fault. When the fault is beyond the limit, counts it as dropped and returns false.
  mutating func spend(at now: Instant) -> Bool {
    if budget.spend(1, at: now) { return true }
    dropped = dropped.addingSaturated(1)
    return false
  }
}
