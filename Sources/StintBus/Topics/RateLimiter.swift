import StintModel
import StintUnits

/// Brings the samples of a device to the pace of one subscriber, without a clock: leaves out what is too often and
/// gathers what may wait.
///
/// What is left out is what the subscriber asked not to get; it is counted apart from what is lost.
struct RateLimiter: Sendable {
  /// How many samples may be gathered, whatever the latency; a flood ends there.
  static let mostGathered = 1024

  let pace: SubscriberRate
  /// Samples that the subscriber did not want.
  private(set) var thinned = 0
  /// The earliest instant of a sample that is wanted next. Goes on by whole periods, so that a device whose period does
  /// not divide the subscriber's still yields the rate that was asked for.
  private var due: Instant?
  private(set) var gathered: [Sample] = []
  private var gatheredFrom: DeviceID?
  private var gatheredSince: Instant?

  init(_ pace: SubscriberRate) { self.pace = pace }

  /// When what is gathered must be handed over; nil while nothing is.
  var deadline: Instant? {
    gatheredSince.flatMap { since in pace.latency.map { since + $0 } }
  }

  /// Takes a batch that was published at this instant; what is to be handed over now, if anything.
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

  /// Hands over what has waited for as long as it may.
  mutating func wake(at instant: Instant) -> Batch? {
    guard let deadline, let latency = pace.latency, instant >= deadline else { return nil }
    return flush(.reached(.time(latency)))
  }

  /// Hands over whatever is gathered.
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
    var wanted: [Sample] = []
    for sample in samples {
      guard sample.instant >= due ?? sample.instant else {
        thinned += 1
        continue
      }
      wanted.append(sample)
      let next = (due ?? sample.instant) + period
      // After a gap the periods start again at this sample; missed samples are not made up for.
      due = next > sample.instant ? next : sample.instant + period
    }
    return wanted
  }
}
