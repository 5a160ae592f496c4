import StintModel
import StintUnits

extension Fix {
  /// Makes a fix of a place from a sample with the channels latitude, longitude and accuracy. Nil when the
  /// position is invalid. The speed is 0, because places do not use it.
  init?(placeIn sample: Sample, of device: DeviceID) {
    guard let place = Coordinate(latitude: sample.first, longitude: sample.second), sample.third.isFinite,
      sample.third > 0
    else { return nil }
    self.init(
      instant: sample.instant, coordinate: place, accuracy: sample.third, device: device,
      sequence: sample.sequence)
  }
}

extension ServiceContext {
  /// Returns the newest published position of any device, regardless of its age. Among equally new positions,
  /// returns the most accurate position. Nil when no device has published a position.
  func newestPosition() -> Fix? {
    var newest: Fix?
    for device in roles.devices(.positioning).sorted() {
      guard let fix = position(publishedBy: device) else { continue }
      guard let best = newest else {
        newest = fix
        continue
      }
      if (fix.instant, -fix.accuracy) > (best.instant, -best.accuracy) { newest = fix }
    }
    return newest
  }

  /// Returns the last position in the facts that a device publishes; nil when these facts are unknown.
  func position(publishedBy device: DeviceID) -> Fix? {
    guard let latitude = remembered("\(device.path).latitude"),
      let longitude = remembered("\(device.path).longitude"),
      let accuracy = remembered("\(device.path).accuracy"),
      case .number(let north) = latitude.value, case .number(let east) = longitude.value,
      case .number(let radius) = accuracy.value, radius.isFinite,
      let place = Coordinate(latitude: north, longitude: east)
    else { return nil }
    return Fix(instant: latitude.at, coordinate: place, accuracy: radius, device: device)
  }
}
