public import StintModel
public import StintUnits

/// A token bucket. It limits the long-term count per second, and the size of a burst after a pause.
public struct RateBudget: Hashable, Sendable {
  /// The long-term limit, in events per second.
  public let perSecond: Double
  private let most: Double
  private var left: Double
  private var latest: Instant

  /// Makes a full budget.
  ///
  /// - Parameters:
  ///   - perSecond: the count that may be spent per second in the long run.
  ///   - most: the largest burst: the count that may be spent at once after a pause.
  ///   - now: the present instant.
  public init(perSecond: Double, most: Double, at now: Instant) {
    self.perSecond = perSecond
    self.most = most
    left = most
    latest = now
  }

  /// Returns the budget for a device's events. The number of events per second is twice the highest sample
  /// rate of the device, but at least 2,000. The largest burst is the count of two seconds plus the number of
  /// samples that the device can hold.
  public static func events(of manifest: Manifest, at now: Instant) -> RateBudget {
    let rate = 2 * max(manifest.attribute(named: "rate")?.range?.upperBound ?? 0, 1_000)
    return RateBudget(perSecond: rate, most: 2 * rate + Double(manifest.fifo), at: now)
  }

  /// Spends a count. Returns false, and spends nothing, when less than the count is left.
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
