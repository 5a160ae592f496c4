extension AttributeTree {
  /// Copies the devices of a `umockdev-record` recording into the tree below `sys`. Devices of the subsystems
  /// `iio`, `power_supply` and `thermal` also get the links of their bus or class.
  ///
  /// Device nodes are not created.
  ///
  /// - Parameter text: the recording. Lines other than paths, properties and attributes are ignored.
  public func load(recording text: String) throws {
    var device = ""
    for line in text.split(separator: "\n", omittingEmptySubsequences: true) {
      let kind = line.prefix(3)
      let rest = line.dropFirst(3)
      switch kind {
      case "P: ":
        device = "sys" + rest
      case "E: ":
        if rest.hasPrefix("SUBSYSTEM=") { try linkDevice(device, subsystem: String(rest.dropFirst(10))) }
        if rest.hasPrefix("POWER_SUPPLY_") { try append(String(rest), to: device + "/uevent") }
      case "A: ":
        guard let sign = rest.firstIndex(of: "=") else { continue }
        let value = rest[rest.index(after: sign)...].split(separator: "\\n", omittingEmptySubsequences: false)
        try set(device + "/" + rest[..<sign], value.joined(separator: "\n"))
      default: continue
      }
    }
  }

  private func append(_ line: String, to path: String) throws {
    let before = text(path)
    try set(path, before.isEmpty ? line : before + "\n" + line)
  }

  /// Makes the link by which the bus or the class of a device refers to the device.
  private func linkDevice(_ device: String, subsystem: String) throws {
    guard ["iio", "power_supply", "thermal"].contains(subsystem),
      let name = device.split(separator: "/").last
    else { return }
    let folder = subsystem == "iio" ? "sys/bus/iio/devices" : "sys/class/\(subsystem)"
    try link(folder + "/" + name, to: root + "/" + device)
  }
}
