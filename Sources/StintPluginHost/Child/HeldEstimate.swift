import StintUnits

/// An estimate of the number of samples that a plugin holds. It is the time since the last delivery, divided
/// by the sample period, but at most the capacity of the device.
struct HeldEstimate: Sendable {
  private let capacity: Int
  private var period: TimeSpan?
  /// The instant up to which the plugin has delivered its samples; nil while the plugin does not
  /// hold samples.
  private var since: Instant?

  init(capacity: Int) { self.capacity = capacity }

  /// Records the setting that the plugin has applied.
  mutating func enter(isHolding: Bool, period: TimeSpan?, at instant: Instant) {
    self.period = period
    since = isHolding ? since ?? instant : nil
  }

  /// Records that the plugin holds no sample from before this instant.
  mutating func empty(at instant: Instant) { since = since.map { max($0, instant) } }

  /// Returns the clause about `lost` held samples for the message about the end of a plugin; empty for 0.
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
