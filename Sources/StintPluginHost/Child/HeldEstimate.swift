import StintUnits

/// Estimates how many samples a plugin holds: those of the time since its last delivery.
struct HeldEstimate: Sendable {
  private let capacity: Int
  private var period: TimeSpan?
  /// The instant up to which the plugin has delivered its samples; nil while it does not hold any back.
  private var since: Instant?

  init(capacity: Int) { self.capacity = capacity }

  /// Records the setting that the plugin has applied.
  mutating func enter(isHolding: Bool, period: TimeSpan?, at instant: Instant) {
    self.period = period
    since = isHolding ? since ?? instant : nil
  }

  /// Records that the plugin holds no sample from before this instant.
  mutating func empty(at instant: Instant) { since = since.map { max($0, instant) } }

  /// The end of a sentence about the end of a plugin that held `lost` samples; empty for 0.
  static func text(_ lost: Int) -> String {
    lost == 0 ? "" : "; \(lost == 1 ? "1 held sample is" : "about \(lost) held samples are") lost"
  }

  /// Returns the estimate. The next call does not count these samples again.
  mutating func take(at now: Instant) -> Int {
    guard let since, let period, period > .zero, now > since else { return 0 }
    self.since = now
    return min(Int(clamping: (now - since).nanoseconds / period.nanoseconds), capacity)
  }
}
