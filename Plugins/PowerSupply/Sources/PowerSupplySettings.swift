import StintModel
import StintPluginKit

/// Where the kernel shows power and heat, as a site file says it.
struct PowerSupplySettings: Hashable, Sendable {
  /// Where sysfs is.
  var sys = "/sys"
  /// The one supply that counts; nil for all that power the machine.
  var supply: String?
  /// The type of the one thermal zone that counts; nil for all.
  var zone: String?

  static let form = PluginForm(
    name: "power_supply",
    meaning: "batteries, mains and temperatures by sysfs, as battery.…, power.…, thermal.…",
    settings: [
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
