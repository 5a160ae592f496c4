public import StintUnits

/// How often and when work that failed for now is tried again: each wait twice the one before.
public struct RetryPlan: Hashable, Sendable {
  public var first: TimeSpan
  public var cap: TimeSpan
  /// How many times at most.
  public var limit: Int

  /// Makes a plan: half a minute, doubling up to an hour, eight times, unless said otherwise.
  public init(first: TimeSpan = .seconds(30), cap: TimeSpan = .hours(1), limit: Int = 8) {
    self.first = first
    self.cap = cap
    self.limit = limit
  }

  /// How long to wait after so many failures; nil when that was the last try.
  func wait(after failures: Int) -> TimeSpan? {
    guard failures >= 1, failures <= limit else { return nil }
    return failures > 40 ? cap : first.times(1 << (failures - 1), capped: cap)
  }
}
