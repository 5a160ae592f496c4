import StintModel
import StintUnits

/// The rate limiter and the delivery statistics of a subscriber.
struct RateLimitedSubscriber: Sendable {
  var machine: RateLimiter
  /// The longest and the total latency of the delivered samples.
  private(set) var longest = TimeSpan.zero
  private(set) var total = TimeSpan.zero
  /// The number of delivered samples, and the instants of the first and the last of them.
  private(set) var samples = 0
  private(set) var first: Instant?
  private(set) var last: Instant?

  init(_ pace: SubscriberRate) { machine = RateLimiter(pace) }

  /// Adds the delivery of a batch to the statistics.
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
