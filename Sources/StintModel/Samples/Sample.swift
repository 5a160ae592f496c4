public import StintUnits

/// One reading: 48 bytes, the same for every device.
public struct Sample: Hashable, Sendable {
  /// When it was taken.
  public var instant: Instant
  /// Counts a device's samples from 0; a gap shows a loss.
  public var sequence: UInt64
  /// Up to four channels in the order of the manifest; unused ones are 0.
  public var first: Double
  public var second: Double
  public var third: Double
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

/// Samples of one device that travel together, oldest first, never empty.
public struct Batch: Hashable, Sendable {
  public var device: DeviceID
  public var samples: [Sample]
  /// Why it was handed over now.
  public var reason: DeliveryReason

  /// Makes a batch.
  ///
  /// - Precondition: there is at least one sample.
  public init(device: DeviceID, samples: [Sample], reason: DeliveryReason) {
    precondition(!samples.isEmpty, "a batch holds at least one sample")
    self.device = device
    self.samples = samples
    self.reason = reason
  }
}

/// One point of a recorded or generated way.
public struct TrackPoint: Hashable, Sendable {
  /// Since the start of the track; never falls.
  public var time: TimeSpan
  public var position: Coordinate
  /// Metres above the sea.
  public var altitude: Double?
  /// Metres a second.
  public var speed: Double?
  /// 95 % radius in metres, as the recorder reported it.
  public var accuracy: Double?
  /// How the carrier moved, in the words of the source: `walk`, `car`, `still`.
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
