public import StintUnits

/// One measurement of a device. A sample takes 48 bytes, whatever the device.
public struct Sample: Hashable, Sendable {
  /// The instant of the measurement.
  public var instant: Instant
  /// The number of this sample among all samples of the device, from 0. A gap means lost samples.
  public var sequence: UInt64
  /// The first of up to four channels of numbers and words, in the order of the manifest; unused channels are
  /// 0. The values of further channels, and bytes, are in `Batch.wide`.
  public var first: Double
  /// The second channel, or 0.
  public var second: Double
  /// The third channel, or 0.
  public var third: Double
  /// The fourth channel, or 0.
  public var fourth: Double

  /// Makes a sample.
  public init(
    instant: Instant, sequence: UInt64, _ first: Double, _ second: Double = 0, _ third: Double = 0,
    _ fourth: Double = 0
  ) {
    self.instant = instant
    self.sequence = sequence
    self.first = first
    self.second = second
    self.third = third
    self.fourth = fourth
  }
}

/// Samples of one device that are delivered together, oldest first; never empty.
public struct Batch: Hashable, Sendable {
  /// The device that measured the samples.
  public var device: DeviceID
  /// The samples, oldest first; at least one.
  public var samples: [Sample]
  /// The reason for the delivery.
  public var reason: DeliveryReason
  /// The values of the channels after the fourth channel, and of the channels of bytes. Nil for a device with
  /// at most four channels and without bytes.
  public var wide: WideValues?

  /// Makes a batch.
  ///
  /// - Precondition: there is at least one sample.
  public init(
    device: DeviceID, samples: [Sample], reason: DeliveryReason, wide: WideValues? = nil
  ) {
    precondition(!samples.isEmpty, "a batch holds at least one sample")
    self.device = device
    self.samples = samples
    self.reason = reason
    self.wide = wide
  }
}

/// One point of a recorded or generated track.
public struct TrackPoint: Hashable, Sendable {
  /// The time since the start of the track; it never decreases from point to point.
  public var time: TimeSpan
  /// The position.
  public var position: Coordinate
  /// The altitude above sea level, in metres; nil when unknown.
  public var altitude: Double?
  /// The speed in metres per second; nil when unknown.
  public var speed: Double?
  /// The reported 95 % radius, in metres; nil when unknown.
  public var accuracy: Double?
  /// The kind of movement in the words of the recording: `walk`, `car`, `still`; nil when unknown.
  public var label: String?

  /// Makes a point.
  public init(
    time: TimeSpan, position: Coordinate, altitude: Double? = nil, speed: Double? = nil,
    accuracy: Double? = nil,
    label: String? = nil
  ) {
    self.time = time
    self.position = position
    self.altitude = altitude
    self.speed = speed
    self.accuracy = accuracy
    self.label = label
  }
}
