import StintModel

/// What a device of the industrial I/O subsystem measures, as far as this plugin knows it.
enum IIOSensorKind: String, Hashable, Sendable, CaseIterable {
  case accelerometer
  case gyroscope
  case magnetometer

  /// How the kernel calls it in the names of files.
  var channel: String {
    switch self {
    case .accelerometer: "accel"
    case .gyroscope: "anglvel"
    case .magnetometer: "magn"
    }
  }

  var device: DeviceID { DeviceID("motion.\(rawValue)") }

  /// What the kernel's unit (m/s², rad/s, gauss) is in the manifest's (m/s², deg/s, µT).
  var unit: Double {
    switch self {
    case .accelerometer: 1
    case .gyroscope: 180 / Double.pi
    case .magnetometer: 100
    }
  }

  /// The beginnings of the names of its files, in the order of the manifest's channels.
  var axes: [String] { ["x", "y", "z"].map { "in_\(channel)_\($0)" } }

  var manifestBytes: [UInt8] {
    switch self {
    case .accelerometer: PackageResources.accelerometer_json
    case .gyroscope: PackageResources.gyroscope_json
    case .magnetometer: PackageResources.magnetometer_json
    }
  }
}
