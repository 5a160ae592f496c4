import StintModel
import StintUnits

/// Samples that were handed over together, oldest first.
public struct Batch: Sendable {
  /// The device they come from, by name; not always the one that was asked for.
  public let device: String
  public let samples: [Sample]
  /// Why they came now: `immediate`, `reached 5 min`, `full`.
  public let reason: String

  init(_ batch: StintModel.Batch, _ request: DemandRequest, at now: Instant) {
    device = batch.device.path
    samples = batch.samples.map { Sample($0, request, at: now) }
    reason = batch.reason.description
  }
}

/// One reading.
public struct Sample: Hashable, Sendable {
  /// When it was taken, since 1970-01-01T00:00:00Z.
  public let time: Duration
  /// Counts the device's samples; a gap shows a loss.
  public let sequence: UInt64
  /// The channels in the order of the device's manifest. A position: latitude, longitude in degrees, accuracy
  /// in
  /// metres, speed in metres a second. Acceleration: x, y, z.
  public let values: [Double]

  /// True when it was older than the request's `maxAge` when the reader got it: it tells what was, not what is.
  public let isStale: Bool
  /// True when it is worse than was asked: a position with a greater radius.
  public let isPoor: Bool

  init(_ sample: StintModel.Sample, _ request: DemandRequest, at now: Instant) {
    time = .nanoseconds(sample.instant.nanoseconds)
    sequence = sample.sequence
    values = [sample.first, sample.second, sample.third, sample.fourth]
    isStale = now - sample.instant > request.maxAge
    // Only positions are asked for with an accuracy, and theirs is the third channel.
    isPoor = request.wants.accuracy.map { sample.third > $0 } ?? false
  }
}
