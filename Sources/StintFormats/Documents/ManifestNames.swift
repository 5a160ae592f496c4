public import StintModel
public import StintUnits

/// Replaces names of devices in the texts of manifests. Journals, simulations and replays read the devices
/// from these texts, so the texts must contain the new names.
public enum ManifestNames {
  /// Returns the text of a manifest with the new names of devices.
  ///
  /// A fact whose path begins with the name of a renamed device gets the new name too. A fact of a beacon
  /// keeps its path. The text states the roles of the device, because roles may follow from its former name.
  ///
  /// - Parameters:
  ///   - bytes: the text of `manifest`.
  ///   - source: the name of the file in errors.
  ///   - manifest: the manifest that the text contains, with the former names.
  ///   - names: the new name of each renamed device of the plugin, by its name in the manifest.
  /// - Throws: `Problem` when `bytes` is not JSON.
  public static func text(
    of bytes: [UInt8], source: String, manifest: Manifest, names: [DeviceID: DeviceID]
  ) throws(Problem) -> String {
    let value = try JSONReader.value(of: bytes, source: source)
    var members = value.members ?? []
    for index in members.indices {
      switch members[index].name {
      case "device": members[index].value = renamed(members[index].value, names, isWhole: true)
      case "inputs":
        let inputs = members[index].value.items ?? []
        members[index].value = JSONValue(inputs.map { renamed($0, names, isWhole: true) })
      case "facts":
        members[index].value = JSONValue((members[index].value.items ?? []).map { fact($0, names) })
      default: break
      }
    }
    if manifest.statedRoles == nil {
      let roles = manifest.provides.map(\.rawValue).sorted().map { JSONValue($0) }
      members.append(JSONMember("provides", JSONValue(roles)))
    }
    return JSONWriter.text(of: JSONValue(members))
  }

  private static func fact(_ value: JSONValue, _ names: [DeviceID: DeviceID]) -> JSONValue {
    guard var members = value.members, let index = members.firstIndex(where: { $0.name == "name" }) else {
      return value
    }
    members[index].value = renamed(members[index].value, names, isWhole: false)
    return JSONValue(members)
  }

  /// Returns the new name of a device, or the new path of a fact.
  private static func renamed(
    _ value: JSONValue, _ names: [DeviceID: DeviceID], isWhole: Bool
  ) -> JSONValue {
    guard let text = value.string else { return value }
    // The name of a beacon's fact contains the beacon, not the device.
    if !isWhole, FactSchemaReading.isBeaconFact(text) { return value }
    if isWhole { return JSONValue((names[DeviceID(text)] ?? DeviceID(text)).path) }
    // The name of one device may be the beginning of another device's name.
    let owner = names.keys.filter { text.hasPrefix($0.path + ".") }.max { $0.path.count < $1.path.count }
    guard let owner, let name = names[owner] else { return value }
    return JSONValue(name.path + text.dropFirst(owner.path.count))
  }
}
