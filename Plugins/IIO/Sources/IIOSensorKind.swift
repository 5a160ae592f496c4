import StintModel

/// The kinds of sensors of the industrial I/O subsystem that this plugin supports.
enum IIOSensorKind: String, Hashable, Sendable, CaseIterable {
  case accelerometer
  case gyroscope
  case magnetometer

  /// The kernel's name of the kind in file names.
  var channel: String {
    switch self {
    case .accelerometer: "accel"
    case .gyroscope: "anglvel"
    case .magnetometer: "magn"
    }
  }

  /// The name of the kind with its article, for messages.
  var withArticle: String { self == .accelerometer ? "an \(rawValue)" : "a \(rawValue)" }

  /// The device of the manifest.
  var device: DeviceID { self == .gyroscope ? "motion.gyro" : DeviceID("motion.\(rawValue)") }

  /// The factor from the unit of the kernel (m/s², rad/s, gauss) to the unit of the manifest (m/s², deg/s,
  /// µT).
  var unit: Double {
    switch self {
    case .accelerometer: 1
    case .gyroscope: 180 / Double.pi
    case .magnetometer: 100
    }
  }

  /// The prefixes of the axes' file names, in the order of the manifest's channels.
  var axes: [String] { ["x", "y", "z"].map { "in_\(channel)_\($0)" } }

  var manifestBytes: [UInt8] {
    switch self {
    case .accelerometer: PackageResources.accelerometer_json
    case .gyroscope: PackageResources.gyroscope_json
    case .magnetometer: PackageResources.magnetometer_json
    }
  }
}
