import StintModel
import StintUnits

/// A rate limit lets a fact change no more often than its manifest says.
///
/// Values may run ahead of the pace by `FactSchema.burst`; of those that come sooner still, the newest is kept and set as
/// soon as the pace allows. So no span of time sees more than `span / pace + burst + 1` values.
struct FactRateLimit: Sendable {
  let fact: Int
  let pace: TimeSpan
  private let lead: TimeSpan
  /// When the next value is expected at the pace.
  private var due: Instant
  /// The newest value that came too soon, and when it may be set.
  private(set) var waiting: (value: FactValue, until: Instant)?

  /// Makes the limit of a fact; nil where its schema says no pace.
  init?(_ fact: Int, _ schema: FactSchema, at now: Instant) {
    guard let pace = schema.fastest, pace > .zero else { return nil }
    self.fact = fact
    self.pace = pace
    lead = pace.times(Int64(FactSchema.burst), capped: .unlimited)
    due = now
  }

  /// Whether the value may be set now; else it waits.
  mutating func admits(_ value: FactValue, at now: Instant) -> Bool {
    // The expected instant, less the lead that values may have.
    if waiting == nil, now - due >= .zero - lead {
      due = max(due, now) + pace
      return true
    }
    waiting = (value, waiting?.until ?? due - lead)
    return false
  }

  /// Hands out the value that has waited long enough.
  mutating func release(at now: Instant) -> FactValue? {
    guard let waiting, waiting.until <= now else { return nil }
    self.waiting = nil
    due = max(due, now) + pace
    return waiting.value
  }
}
