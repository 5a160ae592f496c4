import StintModel
import StintUnits

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
