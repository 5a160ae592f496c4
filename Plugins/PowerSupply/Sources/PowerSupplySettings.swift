import StintModel
import StintPluginKit
import StintUnits

/// The settings of a site file: the supplies and zones to read, and their sources.
struct PowerSupplySettings: Hashable, Sendable {
  /// The path of sysfs.
  var sys = "/sys"
  /// The only supply to read; nil for all supplies of the machine.
  var supply: String?
  /// True when batteries and mains come from UPower instead of the files.
  var asksUPower = false
  /// The address of UPower's message bus; nil for the system bus.
  var bus: String?
  /// The type of the only thermal zone to read; nil for all zones.
  var zone: String?

  /// The maximum time that the host waits for a call. Site files cannot set it.
  var timeout = DeviceWorker.timeout

  static let form = PluginForm(
    name: "power_supply",
    meaning: "battery, mains and temperature facts (battery.*, power.*, thermal.*), from sysfs or UPower",
    settings: [
      PluginSettingForm("by", .text, "the source of battery values: sysfs or upower (default: sysfs)"),
      PluginSettingForm("bus", .text, "the address of UPower's message bus (default: the system bus)"),
      PluginSettingForm("sys", .text, "the path of sysfs (default: /sys)"),
      PluginSettingForm("supply", .text, "the only supply to read, such as BAT0 (default: all)"),
      PluginSettingForm(
        "zone", .text, "the type of the only zone to read, such as cpu-thermal (default: all)"),
    ])

  init() {}

  init(_ values: [String: PluginSettingValue]) throws(Problem) {
    if case .text(let text)? = values["sys"] { sys = text }
    if case .text(let text)? = values["supply"] { supply = text }
    if case .text(let text)? = values["zone"] { zone = text }
    if case .text(let text)? = values["bus"] { bus = text }
    if case .text(let text)? = values["by"] {
      guard text == "sysfs" || text == "upower" else {
        throw Problem(
          .unsupported, device: PowerSupplyPlugin.device, cause: "“by” of power_supply is “\(text)”",
          remedy: "write sysfs or upower")
      }
      asksUPower = text == "upower"
    }
    guard asksUPower || bus == nil, !asksUPower || supply == nil else {
      throw Problem(
        .unsupported, device: PowerSupplyPlugin.device,
        cause: "“bus” of power_supply needs “by”: “upower”, and “supply” needs “by”: “sysfs”",
        remedy: "omit the setting that does not match “by”, or change “by”")
    }
    guard sys.hasPrefix("/") else {
      throw Problem(
        .unsupported, device: PowerSupplyPlugin.device,
        cause: "“sys” of power_supply is not an absolute path: “\(sys)”",
        remedy: "write an absolute path, such as /sys")
    }
    if let supply, supply.isEmpty || supply.contains("/") || supply == ".." {
      throw Problem(
        .unsupported, device: PowerSupplyPlugin.device, cause: "“supply” of power_supply is not a name",
        remedy: "write a name that ls \(sys)/class/power_supply prints")
    }
  }
}
