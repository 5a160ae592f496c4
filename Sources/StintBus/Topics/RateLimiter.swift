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

  var pace: SubscriberRate { didSet { if pace.period != oldValue.period { due = nil } } }
  /// The number of thinned samples.
  private(set) var thinned = 0
  /// The earliest instant of the next wanted sample. It advances by whole periods, so the mean rate is
  /// correct even when the subscriber's period is not a multiple of the device's period.
  private var due: Instant?
  /// The instant of the last sample of the device, wanted or not.
  private var latest: Instant?
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
    var wanted: [Sample]?
    for (place, sample) in samples.enumerated() {
      if wants(sample.instant, period) {
        wanted?.append(sample)
      } else {
        if wanted == nil { wanted = Array(samples[..<place]) }
        thinned += 1
      }
    }
    return wanted ?? samples
  }

  /// Returns whether the subscriber wants a sample at this instant.
  ///
  /// When the device runs at about the subscriber's own rate, every sample is wanted: the intervals of real
  /// devices vary.
  private mutating func wants(_ instant: Instant, _ period: TimeSpan) -> Bool {
    let isSlowDevice =
      latest.map { instant - $0 >= TimeSpan(nanoseconds: period.nanoseconds - period.nanoseconds / 8) }
      ?? true
    latest = instant
    let planned = due ?? instant
    guard instant >= planned || isSlowDevice else { return false }
    let next = min(planned, instant) + period
    // After a gap the periods restart at this sample. Missed samples are not compensated.
    due = next > instant ? next : instant + period
    return true
  }
}
