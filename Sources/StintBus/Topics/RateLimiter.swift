import StintModel
import StintUnits

/// Adapts the samples of a device to the rate of one subscriber. It drops (“thins”) samples that come sooner
/// than the period, and gathers the others until the latency ends. It uses no clock.
///
/// Thinned samples exceed the rate that the subscriber requested. They are counted separately from lost
/// samples.
struct RateLimiter: Sendable {
  /// The number of gathered samples that triggers a delivery before the latency ends. This limit bounds the
  /// memory.
  static let mostGathered = 1024

  var pace: SubscriberRate {
    didSet { if pace.period != oldValue.period { decimator.restart() } }
  }
  /// The number of thinned samples.
  private(set) var thinned = 0
  private var decimator = Decimator()
  private(set) var gathered: [Sample] = []
  private var gatheredFrom: DeviceID?
  private var gatheredSince: Instant?

  init(_ pace: SubscriberRate) { self.pace = pace }

  /// The latest instant for the delivery of the gathered samples; nil without gathered samples.
  var deadline: Instant? {
    gatheredSince.flatMap { since in pace.latency.map { since + $0 } }
  }

  /// Handles a batch that was published at this instant. Returns the batch to deliver now; nil when nothing
  /// is delivered now.
  mutating func ingest(_ batch: Batch, at instant: Instant) -> Batch? {
    let wanted = thin(batch.samples)
    guard let latency = pace.latency else {
      guard !wanted.isEmpty else { return nil }
      return Batch(device: batch.device, samples: wanted, reason: batch.reason)
    }
    if let first = wanted.first {
      gatheredFrom = batch.device
      gatheredSince = gatheredSince ?? min(first.instant, instant)
      gathered += wanted
    }
    if gathered.count >= Self.mostGathered { return flush(.full) }
    guard let since = gatheredSince, instant - since >= latency else { return nil }
    return flush(.reached(.time(latency)))
  }

  /// Returns the gathered samples when their deadline has passed.
  mutating func wake(at instant: Instant) -> Batch? {
    guard let deadline, let latency = pace.latency, instant >= deadline else { return nil }
    return flush(.reached(.time(latency)))
  }

  /// Returns all gathered samples. Returns nil without gathered samples.
  mutating func flush(_ reason: DeliveryReason) -> Batch? {
    guard let device = gatheredFrom, !gathered.isEmpty else { return nil }
    defer {
      gathered = []
      gatheredFrom = nil
      gatheredSince = nil
    }
    return Batch(device: device, samples: gathered, reason: reason)
  }

  private mutating func thin(_ samples: [Sample]) -> [Sample] {
    guard let period = pace.period, period > .zero else { return samples }
    let wanted = decimator.pick(samples, every: period)
    thinned += samples.count - wanted.count
    return wanted
  }
}
