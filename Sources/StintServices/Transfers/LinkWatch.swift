import StintUnits

/// Decides from the rate of real transfers whether the link is too slow to use.
struct LinkWatch: Hashable, Sendable {
  /// The instant since which transfers have been slow; nil while transfers are fast enough.
  private var slowSince: Instant?
  /// The instant until which no transfer starts; nil while the link is good.
  private(set) var restsUntil: Instant?

  var isSlow: Bool { restsUntil != nil }

  /// Returns the next instant at which, without a further measurement, `isSlow` changes or transfers
  /// must stop.
  func nextChange(_ threshold: SlowLinkLimits) -> Instant {
    restsUntil ?? slowSince.map { $0 + threshold.span.timeSpan } ?? .distantFuture
  }

  /// Records the rate of transfers, in bytes per second.
  mutating func note(_ rate: Double, _ threshold: SlowLinkLimits, at instant: Instant) {
    if rate < threshold.below {
      slowSince = slowSince ?? instant
    } else {
      slowSince = nil
      if rate >= threshold.release { restsUntil = nil }
    }
  }

  /// Records that no transfer is in progress. The rate is then not measured.
  mutating func pause() { slowSince = nil }

  /// Advances the time. Returns true when transfers in progress must stop.
  mutating func pass(_ threshold: SlowLinkLimits, at instant: Instant) -> Bool {
    if let restsUntil, restsUntil <= instant { self.restsUntil = nil }
    guard let slowSince, slowSince + threshold.span.timeSpan <= instant else { return false }
    self.slowSince = nil
    restsUntil = instant + threshold.probe.timeSpan
    return true
  }
}
