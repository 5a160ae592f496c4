import StintModel
import StintUnits

/// Lets a fact change no more often than its manifest says that it does.
///
/// Values may run ahead of the pace by `FactSchema.burst`; of those that come sooner still, the newest is kept and
/// believed as soon as the pace allows. So no span of time sees more than `span / pace + burst + 1` values.
struct FactGate: Sendable {
  let fact: Int
  let pace: TimeSpan
  private let lead: TimeSpan
  /// When the next value is due at the pace.
  private var due: Instant
  /// The newest value that came too soon, and when it may be believed.
  private(set) var waiting: (value: FactValue, until: Instant)?

  init?(_ fact: Int, _ schema: FactSchema, at now: Instant) {
    guard let pace = schema.fastest, pace > .zero else { return nil }
    self.fact = fact
    self.pace = pace
    lead = pace.times(Int64(FactSchema.burst), capped: .unlimited)
    due = now
  }

  /// Whether the value may be believed now; else it waits.
  mutating func admits(_ value: FactValue, at now: Instant) -> Bool {
    // What is due at the pace, less the lead that values may have.
    if waiting == nil, now - due >= .zero - lead {
      due = max(due, now) + pace
      return true
    }
    waiting = (value, waiting?.until ?? due - lead)
    return false
  }

  /// The value that waited long enough.
  mutating func release(at now: Instant) -> FactValue? {
    guard let waiting, waiting.until <= now else { return nil }
    self.waiting = nil
    due = max(due, now) + pace
    return waiting.value
  }
}
