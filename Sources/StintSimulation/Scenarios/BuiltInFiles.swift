import StintFormats
import StintModel

/// The files that ship inside the library, by name.
enum BuiltInFiles {
  /// The manifests of the reference phone, by device.
  static let manifests: [DeviceID: [UInt8]] = [
    "host.app": PackageResources.host_app_json,
    "host.processor": PackageResources.host_processor_json,
    "location.cell": PackageResources.location_cell_json,
    "location.gnss": PackageResources.location_gnss_json,
    "location.wifi": PackageResources.location_wifi_json,
    "motion.accelerometer": PackageResources.motion_accelerometer_json,
    "motion.fused": PackageResources.motion_fused_json,
    "motion.gyro": PackageResources.motion_gyro_json,
    "motion.magnetometer": PackageResources.motion_magnetometer_json,
    "power.battery": PackageResources.power_battery_json,
    "radio.ble": PackageResources.radio_ble_json,
    "radio.cellular": PackageResources.radio_cellular_json,
    "radio.wifi": PackageResources.radio_wifi_json,
  ]

  /// The scenarios, by name.
  static let scenarios: [String: [UInt8]] = [
    "commute": PackageResources.commute_json,
    "day-hike": PackageResources.day_hike_json,
    "quiet": PackageResources.quiet_json,
    "sixty-messages": PackageResources.sixty_messages_json,
    "tracker": PackageResources.tracker_json,
    "warehouse-shift": PackageResources.warehouse_shift_json,
  ]

  /// The manifest of a device of the reference phone, of one that only some scenarios have too.
  static func manifest(_ device: DeviceID) throws(FormatErrors) -> Manifest {
    try ManifestReader.manifest(of: manifests[device] ?? [], source: "\(device).json")
  }
}
