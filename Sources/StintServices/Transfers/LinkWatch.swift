import StintUnits

/// Whether the link is worth its power, as real transfers found it.
struct LinkWatch: Hashable, Sendable {
  /// Since when transfers have been slow.
  private var slowSince: Instant?
  /// Until when nothing is tried; nil while the link is good.
  private(set) var restsUntil: Instant?

  var isSlow: Bool { restsUntil != nil }

  /// When it changes its mind by itself.
  func nextChange(_ threshold: SlowLink) -> Instant {
    restsUntil ?? slowSince.map { $0 + threshold.span } ?? .distantFuture
  }

  /// Transfers go at this rate, in bytes a second.
  mutating func note(_ rate: Double, _ threshold: SlowLink, at instant: Instant) {
    if rate < threshold.below {
      slowSince = slowSince ?? instant
    } else {
      slowSince = nil
      if rate >= threshold.release { restsUntil = nil }
    }
  }

  /// Nothing is on its way, so nothing is measured.
  mutating func pause() { slowSince = nil }

  /// Time has passed; whether what is on its way is to stop.
  mutating func pass(_ threshold: SlowLink, at instant: Instant) -> Bool {
    if let restsUntil, restsUntil <= instant { self.restsUntil = nil }
    guard let slowSince, slowSince + threshold.span <= instant else { return false }
    self.slowSince = nil
    restsUntil = instant + threshold.probe
    return true
  }
}
