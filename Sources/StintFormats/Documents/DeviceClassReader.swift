public import StintModel
public import StintUnits

/// The classes of devices that are part of Stint, and their files.
///
/// A file contains the kind and the roles of the devices of one class, and the parts that their manifests
/// have:
/// ```json
/// {"stint_class": 1, "class": "location.gnss", "title": "a receiver for satellite positions",
///  "kind": "sensor", "provides": ["positioning"], "channels": [{"name": "latitude", "unit": "deg"}],
///  "facts": [{"name": "speed", "unit": "m/s", "optional": true}],
///  "attributes": [{"name": "rate", "unit": "Hz"}], "figures": [{"name": "hot_fix", "unit": "s"}],
///  "essential": ["rate"], "providers": ["the plugin gpsd"]}
/// ```
/// A part with `"optional": true` may be missing, but has this type if it is present. A part with `"options"`
/// has at least these words. `"essential"` names the checks of `stint plugin check` that a device of the
/// class must pass.
public enum DeviceClassReader {
  static let keys = [
    "stint_class", "class", "title", "kind", "provides", "channels", "facts", "attributes", "figures",
    "essential", "providers",
  ]
  static let partKeys = ["name"] + FactSchemaReading.typeKeys + ["optional"]

  /// The files of all classes.
  private static let files = [
    PackageResources.location_gnss_json, PackageResources.motion_accelerometer_json,
    PackageResources.motion_gyro_json, PackageResources.power_battery_json,
    PackageResources.power_thermal_json, PackageResources.radio_json, PackageResources.radio_ble_json,
    PackageResources.sensor_json, PackageResources.source_json,
  ]

  /// All classes, each with the JSON value of its file, sorted by name.
  private static let entries: [(value: DeviceClass, file: JSONValue)] = files.map { bytes in
    do throws(Problem) {
      return (
        try deviceClass(of: bytes, source: "a class"), try JSONReader.value(of: bytes, source: "a class")
      )
    } catch { preconditionFailure("a class of devices cannot be read: \(error)") }
  }

  /// All classes, sorted by name.
  public static let all: [DeviceClass] = entries.map(\.value)

  /// Returns the class with this name; nil when none exists.
  public static func named(_ name: String) -> DeviceClass? { all.first { $0.name == name } }

  /// Returns the content of the file of a class; nil when no class has this name.
  public static func file(named name: String) -> JSONValue? { entries.first { $0.value.name == name }?.file }

  /// Returns the classes of a device. These are the classes in its manifest, the class with the name of the
  /// device, and the class of its kind.
  public static func classes(of manifest: Manifest) -> [DeviceClass] {
    var names = manifest.statedClasses
    for name in [manifest.device.path, manifest.kind.rawValue] where !names.contains(name) {
      names.append(name)
    }
    return names.compactMap { named($0) }
  }

  /// Returns the class in `bytes`; `source` is the name of the file in errors.
  ///
  /// - Throws: `Problem` with all mistakes of the file.
  public static func deviceClass(of bytes: [UInt8], source: String) throws(Problem) -> DeviceClass {
    let findings = JSONFindings(source: source)
    let value = try JSONReader.value(of: bytes, source: source)
    let root = JSONField(value: value, path: "", findings: findings).document("stint_class", keys: keys)
    let found = root.flatMap { read($0) }
    try findings.check()
    guard let found else { preconditionFailure("reading failed without a problem") }
    return found
  }

  private static func read(_ root: JSONObject) -> DeviceClass? {
    let name = root.required("class")?.text()
    let title = root.required("title")?.text()
    let kind = root.required("kind")?.enumCase(DeviceKind.self)
    func parts(_ key: String) -> [DeviceClass.Part] { ManifestReader.list(root, key) { part($0) } }
    var result = DeviceClass(name: name ?? "", title: title ?? "", kind: kind ?? .sensor)
    result.roles = Set(ManifestReader.list(root, "provides") { $0.enumCase(DeviceRole.self) })
    result.channels = parts("channels")
    result.facts = parts("facts")
    result.attributes = parts("attributes")
    result.figures = parts("figures")
    result.essential = ManifestReader.list(root, "essential") { $0.text() }
    result.providers = ManifestReader.list(root, "providers") { $0.text() }
    return result
  }

  private static func part(_ field: JSONField) -> DeviceClass.Part? {
    guard let object = field.object(keys: partKeys) else { return nil }
    let name = object.required("name")?.text()
    let isOptional = object.optional("optional").map { $0.flag() } ?? false
    guard let name, let type = FactSchemaReading.type(object), let isOptional else { return nil }
    return DeviceClass.Part(name: name, type: type, isOptional: isOptional)
  }
}
