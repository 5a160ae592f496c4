import StintModel
import StintUnits

/// Samples that were handed over together, oldest first.
public struct Batch: Sendable {
  /// The device they come from, by name; not always the one that was asked for.
  public let device: String
  public let samples: [Sample]
  /// Why they came now: `immediate`, `reached 5 min`, `full`.
  public let reason: String

  init(_ batch: StintModel.Batch) {
    device = batch.device.path
    samples = batch.samples.map(Sample.init)
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

  init(_ sample: StintModel.Sample) {
    time = .nanoseconds(sample.instant.nanoseconds)
    sequence = sample.sequence
    values = [sample.first, sample.second, sample.third, sample.fourth]
  }
}
