public import StintModel
public import StintUnits

/// A position as a client receives it: coordinate, accuracy and time.
public struct Fix: Hashable, Sendable, Codable {
  /// The instant at which the fix was taken.
  public var instant: Instant
  /// The position.
  public var coordinate: Coordinate
  /// The 95 % radius in metres.
  public var accuracy: Double
  /// The speed in metres per second; 0 in the notices of moves, and when the device measures no speed.
  public var speed = 0.0
  /// The device that took the fix.
  public var device: DeviceID
  /// The sequence number that the device gave the fix. It is the same for all clients.
  public var sequence: UInt64
  /// True when the fix was taken before the client's request.
  public var isCached = false
  /// True when the fix does not show the current position.
  ///
  /// A fix is stale in two cases. On delivery, it is older than the client's `maxAge`, or it is older than a
  /// fix that the client already has.
  public var isStale = false
  /// True when the radius is larger than requested.
  public var isPoor = false

  private enum CodingKeys: String, CodingKey {
    case coordinate = "place"
    case accuracy
    case instant = "determined"
    case sequence, device, speed
    case isCached = "cached"
    case isStale = "stale"
    case isPoor = "poor"
  }

  /// Makes a fix.
  public init(
    instant: Instant, coordinate: Coordinate, accuracy: Double, speed: Double = 0,
    device: DeviceID, sequence: UInt64 = 0, isCached: Bool = false,
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

  /// Makes a fix from a sample of a positioning device, whose channels are latitude, longitude, accuracy and
  /// speed. Nil when the sample is not a valid position.
  public init?(_ sample: Sample, of device: DeviceID, askedAt: Instant) {
    guard let coordinate = Coordinate(latitude: sample.first, longitude: sample.second), sample.third >= 0
    else { return nil }
    self.init(
      instant: sample.instant, coordinate: coordinate, accuracy: sample.third, speed: sample.fourth,
      device: device, sequence: sample.sequence, isCached: sample.instant < askedAt)
  }

  /// Returns the fixes in a batch, oldest first. Drops fixes from the future: such a fix would hide all fixes
  /// until its instant.
  static func fixes(in batch: Batch, askedAt: Instant, at now: Instant) -> [Fix] {
    batch.samples.compactMap { Fix($0, of: batch.device, askedAt: askedAt) }
      .filter { $0.instant <= now }
      .sorted { ($0.instant, $0.sequence) < ($1.instant, $1.sequence) }
  }

  /// Returns the age of the fix; nil for a fix from the future.
  package func age(at instant: Instant) -> TimeSpan? {
    instant >= self.instant ? instant - self.instant : nil
  }

  /// Returns whether the fix is at most `maxAge` old. A fix from the future is not fresh.
  func isFresh(at now: Instant, maxAge: TimeSpan) -> Bool { age(at: now).map { $0 <= maxAge } ?? false }

  /// Returns a copy with this `isStale`, and with `isPoor` true when the radius is larger than requested.
  func flagged(isStale: Bool, asked metres: Double) -> Fix {
    var copy = self
    copy.isStale = isStale
    copy.isPoor = accuracy > metres
    return copy
  }

  /// The fix for a client with coarse positions, without its speed.
  var coarsened: Fix {
    var copy = self
    (copy.coordinate, copy.accuracy) = coordinate.coarsened(accuracy)
    copy.speed = 0
    return copy
  }

  /// Returns the fix with a radius of `metres`, at the centre of its cell in a grid with this spacing. The
  /// speed of the returned fix is 0. A fix whose radius is at least `metres` is unchanged.
  func blurred(to metres: Double) -> Fix {
    guard accuracy < metres else { return self }
    var copy = self
    copy.coordinate = coordinate.snapped(toCellsOf: metres)
    copy.accuracy = metres
    copy.speed = 0
    return copy
  }
}

extension Fix {
  /// Reads the form that `encode` writes. Earlier versions wrote neither speed nor flags.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      instant: try values.decode(Instant.self, forKey: .instant),
      coordinate: try values.decode(Coordinate.self, forKey: .coordinate),
      accuracy: try values.decode(Double.self, forKey: .accuracy),
      speed: try values.decodeIfPresent(Double.self, forKey: .speed) ?? 0,
      device: try values.decode(DeviceID.self, forKey: .device),
      sequence: try values.decode(UInt64.self, forKey: .sequence),
      isCached: try values.decodeIfPresent(Bool.self, forKey: .isCached) ?? false,
      isStale: try values.decodeIfPresent(Bool.self, forKey: .isStale) ?? false,
      isPoor: try values.decodeIfPresent(Bool.self, forKey: .isPoor) ?? false)
  }

  /// Writes the fix, without a speed of 0 and without flags that are false.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(coordinate, forKey: .coordinate)
    try values.encode(accuracy, forKey: .accuracy)
    try values.encode(instant, forKey: .instant)
    try values.encode(sequence, forKey: .sequence)
    try values.encode(device, forKey: .device)
    if speed != 0 { try values.encode(speed, forKey: .speed) }
    if isCached { try values.encode(true, forKey: .isCached) }
    if isStale { try values.encode(true, forKey: .isStale) }
    if isPoor { try values.encode(true, forKey: .isPoor) }
  }
}

extension Coordinate {
  /// Returns the position and its 95 % radius in metres for a client with coarse positions.
  func coarsened(_ radius: Double) -> (Coordinate, Double) {
    (snapped(toCellsOf: Precision.coarseRadius), max(radius, Precision.coarseRadius))
  }

  /// Returns the centre of the grid cell that contains the position.
  ///
  /// Cells have fixed positions, so that many fixes of one position reveal no more than a single fix. The
  /// height and width of a cell in degrees depend only on the spacing and the row.
  fileprivate func snapped(toCellsOf metres: Double) -> Coordinate {
    let height = metres / 111_195
    let row = (latitude / height).rounded(.down)
    let middle = (row + 0.5) * height
    let east = Coordinate(latitude: min(max(middle, -90), 90), longitude: 0) ?? self
    let width = east.moved(north: 0, east: metres).longitude
    // At a pole, the whole row is one cell.
    guard width > 0 else { return east }
    let column = (longitude / width).rounded(.down)
    return Coordinate(
      latitude: min(max(middle, -90), 90), longitude: min(max((column + 0.5) * width, -180), 180)) ?? self
  }
}

extension ServiceContext {
  /// Returns the last position that a device published; nil when it is unknown.
  func lastFix(of device: DeviceID) -> (Coordinate, radius: Double)? {
    let name = device.path
    guard case .number(let latitude) = fact("\(name).latitude"),
      case .number(let longitude) = fact("\(name).longitude"),
      case .number(let radius) = fact("\(name).accuracy"),
      let place = Coordinate(latitude: latitude, longitude: longitude)
    else { return nil }
    return (place, radius)
  }

  /// Returns the distance in metres that a device has measured; nil when it is unknown.
  func odometer(of device: DeviceID?) -> Double? {
    guard let device, case .number(let metres) = fact("\(device.path).distance") else { return nil }
    return metres
  }

  /// Returns the rank of the device on its ladder; 0 without a ladder.
  func rank(of device: DeviceID) -> Int { manifest(device)?.ladder?.rank ?? 0 }
}
