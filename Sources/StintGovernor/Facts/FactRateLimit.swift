import StintModel
import StintUnits

/// Limits the update rate of a fact to the rate in its manifest.
///
/// Up to `FactSchema.burst` values may come earlier than the rate permits. Of further early values, only the
/// newest is stored; it is set as soon as this limit permits. So the number of values in a time span is at
/// most `span / period + burst + 1`.
struct FactRateLimit: Sendable {
  let fact: Int
  let period: TimeSpan
  /// The largest time by which a value may come before its expected instant.
  private let tolerance: TimeSpan
  /// The expected instant of the next value at this rate.
  private var nextInstant: Instant
  /// The newest value that came too soon, and the instant at which it may be set.
  private(set) var waiting: (value: FactValue, until: Instant)?

  /// Creates the limit of a fact; nil when its schema has no rate.
  init?(_ fact: Int, _ schema: FactSchema, at now: Instant) {
    guard let period = schema.fastest, period > .zero else { return nil }
    self.fact = fact
    self.period = period
    tolerance = period.times(Int64(FactSchema.burst), capped: .unlimited)
    nextInstant = now
  }

  /// Returns whether the value may be set now. Otherwise the value is stored.
  mutating func admits(_ value: FactValue, at now: Instant) -> Bool {
    // A value may come up to `tolerance` before its expected instant.
    if waiting == nil, now - nextInstant >= .zero - tolerance {
      nextInstant = max(nextInstant, now) + period
      return true
    }
    waiting = (value, waiting?.until ?? nextInstant - tolerance)
    return false
  }

  /// Removes and returns the stored value if it may be set now; nil otherwise.
  mutating func release(at now: Instant) -> FactValue? {
    guard let waiting, waiting.until <= now else { return nil }
    self.waiting = nil
    nextInstant = max(nextInstant, now) + period
    return waiting.value
  }
}
