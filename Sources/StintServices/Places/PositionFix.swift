public import StintModel
public import StintUnits

/// A position as clients get it: where, how well known, determined when.
public struct PositionFix: Hashable, Sendable {
  public var place: Coordinate
  /// 95 % radius in metres.
  public var accuracy: Double
  /// When it was determined, which is what to look at before using it.
  public var determined: Instant
  /// Counts the fixes of one device; breaks ties of `determined`.
  public var sequence: UInt64
  /// Which device said so.
  public var device: DeviceID

  /// Makes a fix.
  public init(
    place: Coordinate, accuracy: Double, determined: Instant, sequence: UInt64 = 0, device: DeviceID
  ) {
    self.place = place
    self.accuracy = accuracy
    self.determined = determined
    self.sequence = sequence
    self.device = device
  }

  /// How old it is; a fix from the future has no age that could be trusted.
  public func age(at instant: Instant) -> TimeSpan? {
    instant >= determined ? instant - determined : nil
  }

  /// Whether it may stand for where the phone is now.
  public func isCurrent(at instant: Instant, maxAge: TimeSpan) -> Bool {
    age(at: instant).map { $0 <= maxAge } ?? false
  }

  /// The fix of a sample with the channels latitude, longitude and accuracy; nil when it is nowhere on the ground.
  public init?(_ sample: Sample, of device: DeviceID) {
    guard let place = Coordinate(latitude: sample.first, longitude: sample.second), sample.third.isFinite,
      sample.third > 0
    else { return nil }
    self.init(
      place: place, accuracy: sample.third, determined: sample.instant, sequence: sample.sequence,
      device: device)
  }
}

extension ServiceContext {
  /// The newest position that any device said, however old, the finest of several; nil when none ever did.
  func newestPosition() -> PositionFix? {
    var newest: PositionFix?
    for device in positioningDevices {
      guard let fix = position(saidBy: device) else { continue }
      guard let best = newest else {
        newest = fix
        continue
      }
      if (fix.determined, -fix.accuracy) > (best.determined, -best.accuracy) { newest = fix }
    }
    return newest
  }

  /// The last position that a device said as facts.
  func position(saidBy device: DeviceID) -> PositionFix? {
    guard let latitude = remembered("\(device.path).latitude"),
      let longitude = remembered("\(device.path).longitude"),
      let accuracy = remembered("\(device.path).accuracy"),
      case .number(let north) = latitude.value, case .number(let east) = longitude.value,
      case .number(let radius) = accuracy.value, let place = Coordinate(latitude: north, longitude: east)
    else { return nil }
    return PositionFix(place: place, accuracy: radius, determined: latitude.at, device: device)
  }
}
