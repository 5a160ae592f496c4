public import StintModel
public import StintUnits

/// Bounds how often something may happen: a number of times a second, with room for what comes at once.
public struct RateBudget: Hashable, Sendable {
  /// How many times a second may be spent in the long run.
  public let perSecond: Double
  private let most: Double
  private var left: Double
  private var latest: Instant

  /// Makes a full budget.
  ///
  /// - Parameter most: how much may be spent at once after a rest.
  public init(perSecond: Double, most: Double, at now: Instant) {
    self.perSecond = perSecond
    self.most = most
    left = most
    latest = now
  }

  /// The budget for the events of a device: twice its fastest rate, or twice 1,000 a second where that is more, with
  /// room for what it may hold.
  public static func events(of manifest: Manifest, at now: Instant) -> RateBudget {
    let rate = 2 * max(manifest.attribute(named: "rate")?.range?.upperBound ?? 0, 1_000)
    return RateBudget(perSecond: rate, most: 2 * rate + Double(manifest.fifo), at: now)
  }

  /// Spends a count; false, and nothing spent, where less is left.
  public mutating func spend(_ count: Int, at now: Instant) -> Bool {
    if now > latest {
      left = min(left + (now - latest).seconds * perSecond, most)
      latest = now
    }
    guard Double(count) <= left else { return false }
    left -= Double(count)
    return true
  }
}
