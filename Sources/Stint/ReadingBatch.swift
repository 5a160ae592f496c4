import StintModel
import StintUnits

/// Samples that a device delivered together, oldest first.
public struct ReadingBatch: Sendable {
  /// The name of the device that produced the samples. It can differ from the device of the request.
  public let device: String
  /// The samples in ascending order of time; at least one.
  public let samples: [Reading]
  /// The reason for the delivery: `immediate`, `reached 5 min`, `full` and others.
  public let reason: String

  init(_ batch: Batch, _ request: DemandRequest, at now: Instant) {
    device = batch.device.path
    samples = batch.samples.map { Reading($0, batch.wide, request, at: now) }
    reason = batch.reason.description
  }
}

/// One sample, as a client receives it.
public struct Reading: Hashable, Sendable {
  /// The time of the measurement since 1970-01-01T00:00:00Z.
  public var time: Duration { .nanoseconds(sample.instant.nanoseconds) }
  /// The sequence number of the sample within its device. A gap means that samples were lost, or
  /// left out because the client requested a longer period than the device has.
  public var sequence: UInt64 { sample.sequence }
  /// The channels in the order of the device's manifest. There are at least four values; those of unused
  /// channels are 0. The value of a channel of words is the index of the word. The values of channels of
  /// bytes are in `bytes`.
  ///
  /// A position has latitude and longitude in degrees, accuracy in metres and speed in metres per second.
  /// Acceleration has x, y and z in metres per second squared.
  public var values: [Double] { [sample.first, sample.second, sample.third, sample.fourth] + others }

  /// The values of the channels of bytes in the order of the device's manifest; empty without such channels.
  public let bytes: [[UInt8]]

  /// True when the sample was older than the request's `maxAge` at the time when the client read it.
  public let isStale: Bool
  /// True when the accuracy radius of a position is larger than the requested radius.
  public let isPoor: Bool

  private let sample: Sample
  /// The values of the channels after the fourth channel.
  private let others: [Double]

  init(_ sample: Sample, _ wide: WideValues?, _ request: DemandRequest, at now: Instant) {
    self.sample = sample
    others = wide.map { Array($0.row(of: sample)) } ?? []
    bytes = wide.map { $0.bytes(of: sample).map { Array($0) } } ?? []
    isStale = now - sample.instant > request.maxAge
    // Only positions are requested with an accuracy. Their accuracy is the third channel.
    isPoor = request.wants.accuracy.map { sample.third > $0 } ?? false
  }
}
