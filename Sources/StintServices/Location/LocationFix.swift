public import StintModel
public import StintUnits

/// A position as a client gets it.
public struct LocationFix: Hashable, Sendable {
  /// When it was taken.
  public var instant: Instant
  public var coordinate: Coordinate
  /// 95 % radius in metres.
  public var accuracy: Double
  /// Metres a second.
  public var speed: Double
  /// Who took it.
  public var device: DeviceID
  /// The number that the device gave it: the same fix has the same number wherever it is seen.
  public var sequence: UInt64
  /// True when it was taken before the client asked.
  public var isCached: Bool
  /// True when it was older than the client's `maxAge` when it was handed over, or behind one that the client had
  /// already: it tells where the phone was, not where it is.
  public var isStale: Bool
  /// True when its radius is more than was asked for.
  public var isPoor: Bool

  /// Makes a fix.
  public init(
    instant: Instant, coordinate: Coordinate, accuracy: Double, speed: Double = 0,
    device: DeviceID = "location.gnss", sequence: UInt64 = 0, isCached: Bool = false,
    isStale: Bool = false, isPoor: Bool = false
  ) {
    self.instant = instant
    self.coordinate = coordinate
    self.accuracy = accuracy
    self.speed = speed
    self.device = device
    self.sequence = sequence
    self.isCached = isCached
    self.isStale = isStale
    self.isPoor = isPoor
  }

  /// The fix in a sample of a positioning device, whose channels are latitude, longitude, accuracy and speed; nil
  /// where it is no position.
  public init?(_ sample: Sample, of device: DeviceID, askedAt: Instant) {
    guard let coordinate = Coordinate(latitude: sample.first, longitude: sample.second), sample.third >= 0
    else { return nil }
    self.init(
      instant: sample.instant, coordinate: coordinate, accuracy: sample.third, speed: sample.fourth,
      device: device, sequence: sample.sequence, isCached: sample.instant < askedAt)
  }

  /// The fixes in a batch, oldest first, without those from the future: believed, they would shadow all that come
  /// until then.
  static func fixes(in batch: Batch, askedAt: Instant, at now: Instant) -> [LocationFix] {
    batch.samples.compactMap { LocationFix($0, of: batch.device, askedAt: askedAt) }
      .filter { $0.instant <= now }
      .sorted { ($0.instant, $0.sequence) < ($1.instant, $1.sequence) }
  }

  /// Whether it is no older than that; what comes from the future has no age that could be trusted.
  func isFresh(at now: Instant, maxAge: TimeSpan) -> Bool { instant <= now && now - instant <= maxAge }

  /// It says what it is not: as fresh, or as good, as was asked.
  func flagged(isStale: Bool, asked metres: Double) -> LocationFix {
    var copy = self
    copy.isStale = isStale
    copy.isPoor = accuracy > metres
    return copy
  }

  /// The fix blurred to `metres`: moved to the middle of its cell in a grid with that spacing.
  func blurred(to metres: Double) -> LocationFix {
    guard accuracy < metres else { return self }
    var copy = self
    copy.coordinate = coordinate.snapped(toFieldsOf: metres)
    copy.accuracy = metres
    copy.speed = 0
    return copy
  }
}

extension Coordinate {
  /// The middle of the field that it lies in. Fields have fixed places, so that many fixes give away no more than
  /// one; their height and width in degrees depend on the size and on the row alone.
  fileprivate func snapped(toFieldsOf metres: Double) -> Coordinate {
    let height = metres / 111_195
    let row = (latitude / height).rounded(.down)
    let middle = (row + 0.5) * height
    let east = Coordinate(latitude: min(max(middle, -90), 90), longitude: 0) ?? self
    let width = east.moved(north: 0, east: metres).longitude
    guard width > 0 else { return self }
    let column = (longitude / width).rounded(.down)
    return Coordinate(
      latitude: min(max(middle, -90), 90), longitude: min(max((column + 0.5) * width, -180), 180)) ?? self
  }
}
