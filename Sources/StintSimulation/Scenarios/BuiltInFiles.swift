import StintFormats
public import StintModel
import StintServices
public import StintUnits

/// The files that are compiled into the library, by name.
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

  /// Returns the manifest of a default or optional device of the reference phone.
  static func manifest(_ device: DeviceID) throws(Problem) -> Manifest {
    try ManifestReader.manifest(of: manifests[device] ?? [], source: "\(device).json")
  }
}

/// The scenarios that are part of Stint.
public enum BuiltInScenarios {
  /// The names of the scenarios, sorted.
  public static let names = ["commute", "day-hike", "quiet", "sixty-messages", "tracker", "warehouse-shift"]

  /// Returns the scenario of this name.
  ///
  /// - Throws: a problem when the name is unknown. A test reads all scenarios in `names`, so these never
  ///   cause a problem.
  public static func scenario(named name: String) throws(Problem) -> Scenario {
    guard let bytes = BuiltInFiles.scenarios[name] else {
      throw Problem(
        .unknownName, place: name, cause: "there is no built-in scenario of this name",
        remedy: "write one of: \(names.joined(separator: ", ")), or a scenario file")
    }
    return try ScenarioReader.scenario(of: bytes, source: "\(name).json", requests: .all)
  }

  /// Returns the JSON text of a scenario; empty when the name is unknown.
  public static func text(named name: String) -> String {
    String(decoding: BuiltInFiles.scenarios[name] ?? [], as: UTF8.self)
  }
}
