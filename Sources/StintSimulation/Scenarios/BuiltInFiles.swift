import StintFormats
public import StintModel
public import StintUnits

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
  static func manifest(_ device: DeviceID) throws(Problem) -> Manifest {
    try ManifestReader.manifest(of: manifests[device] ?? [], source: "\(device).json")
  }
}

/// The scenarios that ship with Stint.
public enum BuiltInScenarios {
  /// Their names, sorted.
  public static let names = ["commute", "day-hike", "quiet", "sixty-messages", "tracker", "warehouse-shift"]

  /// The scenario of this name.
  ///
  /// - Throws: when there is none; never for one of `names`, which a test reads all.
  public static func scenario(named name: String) throws(Problem) -> Scenario {
    guard let bytes = BuiltInFiles.scenarios[name] else {
      throw Problem(
        .unknownName, place: name, cause: "no built-in scenario is named “\(name)”",
        remedy: "there are: \(names.joined(separator: ", ")); or name a scenario file")
    }
    return try ScenarioReader.scenario(of: bytes, source: "\(name).json")
  }

  /// The JSON text of a scenario; empty when there is none of this name.
  public static func text(named name: String) -> String {
    String(decoding: BuiltInFiles.scenarios[name] ?? [], as: UTF8.self)
  }
}
