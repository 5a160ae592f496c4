import StintModel
import StintPluginKit
import StintUnits

/// Where the kernel shows power and heat, as a site file says it.
struct PowerSupplySettings: Hashable, Sendable {
  /// Where sysfs is.
  var sys = "/sys"
  /// The one supply that counts; nil for all that power the machine.
  var supply: String?
  /// Whether UPower is asked about batteries and mains, and not the files.
  var asksUPower = false
  /// The address of the bus on which UPower is; nil for the system's.
  var bus: String?
  /// The type of the one thermal zone that counts; nil for all.
  var zone: String?

  /// How long the host waits for what it asked; not for site files.
  var patience = DeviceWorker.patience

  static let form = PluginForm(
    name: "power_supply",
    meaning: "batteries, mains and temperatures by sysfs, as battery.…, power.…, thermal.…",
    settings: [
      PluginSettingForm("by", .text, "sysfs or upower, who is asked about batteries; sysfs when left out"),
      PluginSettingForm("bus", .text, "the address of UPower's message bus; the system's when left out"),
      PluginSettingForm("sys", .text, "where sysfs is; /sys when left out"),
      PluginSettingForm("supply", .text, "the one that counts, as in BAT0; all when left out"),
      PluginSettingForm(
        "zone", .text, "the type of the zone that counts, as in cpu-thermal; all when left out"),
    ])

  init() {}

  init(_ values: [String: PluginSettingValue]) throws(PluginError) {
    if case .text(let text)? = values["sys"] { sys = text }
    if case .text(let text)? = values["supply"] { supply = text }
    if case .text(let text)? = values["zone"] { zone = text }
    if case .text(let text)? = values["bus"] { bus = text }
    if case .text(let text)? = values["by"] {
      guard text == "sysfs" || text == "upower" else {
        throw PluginError(
          .unsupported, device: PowerSupplyPlugin.device, cause: "“by” of power_supply is “\(text)”",
          nextStep: "write sysfs or upower")
      }
      asksUPower = text == "upower"
    }
    guard asksUPower || bus == nil, !asksUPower || supply == nil else {
      throw PluginError(
        .unsupported, device: PowerSupplyPlugin.device,
        cause: "“bus” of power_supply is for upower, and “supply” for sysfs", nextStep: "leave out the other")
    }
    guard sys.hasPrefix("/") else {
      throw PluginError(
        .unsupported, device: PowerSupplyPlugin.device,
        cause: "“sys” of power_supply is no whole path: “\(sys)”",
        nextStep: "write it from the root, as in /sys")
    }
    if let supply, supply.isEmpty || supply.contains("/") || supply == ".." {
      throw PluginError(
        .unsupported, device: PowerSupplyPlugin.device, cause: "“supply” of power_supply is no name",
        nextStep: "write it as ls \(sys)/class/power_supply shows it")
    }
  }
}
