import StintModel
import StintUnits

/// What a topic remembers of a subscriber with a pace, or of one whose figures are kept.
struct RateLimitedSubscriber: Sendable {
  var machine: RateLimiter
  private(set) var longest = TimeSpan.zero
  private(set) var total = TimeSpan.zero
  private(set) var samples = 0
  private(set) var first: Instant?
  private(set) var last: Instant?

  init(_ pace: SubscriberRate) { machine = RateLimiter(pace) }

  /// Notes that a batch was handed over at an instant.
  mutating func note(_ batch: Batch, at instant: Instant) {
    for sample in batch.samples {
      let waited = max(instant - sample.instant, .zero)
      longest = max(longest, waited)
      total = total + waited
    }
    samples += batch.samples.count
    first = first ?? batch.samples.first?.instant
    last = batch.samples.last?.instant ?? last
  }
}
