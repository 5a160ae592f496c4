public import StintModel
public import StintUnits

/// A position as clients receive it: coordinate, accuracy and time.
public struct PositionFix: Hashable, Sendable, Codable {
  /// The position.
  public var place: Coordinate
  /// The 95 % radius in metres.
  public var accuracy: Double
  /// The instant of the measurement. Check this instant before using the position.
  public var determined: Instant
  /// The sequence number that the device gave the fix. Fixes with equal `determined` are in the order of
  /// this number.
  public var sequence: UInt64
  /// The device that measured the position.
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

  /// The fix for a client with coarse positions.
  var coarsened: PositionFix {
    var copy = self
    (copy.place, copy.accuracy) = place.coarsened(accuracy)
    return copy
  }

  /// Returns the age of the fix; nil for a fix from the future.
  public func age(at instant: Instant) -> TimeSpan? {
    instant >= determined ? instant - determined : nil
  }

  /// Returns whether the fix counts as the current position.
  public func isCurrent(at instant: Instant, maxAge: TimeSpan) -> Bool {
    age(at: instant).map { $0 <= maxAge } ?? false
  }

  /// Makes a fix from a sample with the channels latitude, longitude and accuracy; nil when the position
  /// is invalid.
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
  /// Returns the newest published position of any device, regardless of its age. Among equally new positions,
  /// returns the most accurate one. Nil when no device has published a position.
  func newestPosition() -> PositionFix? {
    var newest: PositionFix?
    for device in roles.devices(.positioning).sorted() {
      guard let fix = position(publishedBy: device) else { continue }
      guard let best = newest else {
        newest = fix
        continue
      }
      if (fix.determined, -fix.accuracy) > (best.determined, -best.accuracy) { newest = fix }
    }
    return newest
  }

  /// Returns the last position that the facts of a device publish; nil when these facts are unknown.
  func position(publishedBy device: DeviceID) -> PositionFix? {
    guard let latitude = remembered("\(device.path).latitude"),
      let longitude = remembered("\(device.path).longitude"),
      let accuracy = remembered("\(device.path).accuracy"),
      case .number(let north) = latitude.value, case .number(let east) = longitude.value,
      case .number(let radius) = accuracy.value, radius.isFinite,
      let place = Coordinate(latitude: north, longitude: east)
    else { return nil }
    return PositionFix(place: place, accuracy: radius, determined: latitude.at, device: device)
  }
}
