import StintFormats
public import StintModel
public import StintPluginKit
public import StintUnits

/// Batteries, mains and temperatures, as the files of `/sys/class/power_supply` and `/sys/class/thermal` say
/// them, or, for batteries and mains, UPower.
///
/// It looks when the governor asks, because a rule or service needs its facts, and from then on also when the
/// kernel, or UPower, says that something changed.
public actor PowerSupplyPlugin: SourcePlugin {
  public static let device: DeviceID = "power.supply"

  public nonisolated let manifest: Manifest
  private let settings: PowerSupplySettings
  private let clock: LinkedPlugin.Clock
  private let hearsKernel: Bool
  private var watch: (any PowerWatching)?

  /// What a site file may say of it, and how it is made.
  public static let linked = LinkedPlugin(form: PowerSupplySettings.form) {
    (values, clock) throws(PluginError) -> [LinkedPlugin.Device] in
    let plugin = try PowerSupplyPlugin(PowerSupplySettings(values), clock: clock)
    return [
      LinkedPlugin.Device(
        plugin, manifestText: String(decoding: PackageResources.manifest_json, as: UTF8.self))
    ]
  }

  /// `hearsKernel` is false for tests in which nothing else than the test may happen.
  init(
    _ settings: PowerSupplySettings, hearsKernel: Bool = true, clock: @escaping LinkedPlugin.Clock
  ) throws(PluginError) {
    self.settings = settings
    self.clock = clock
    self.hearsKernel = hearsKernel
    do throws(Problem) {
      manifest = try ManifestReader.manifest(
        of: PackageResources.manifest_json, source: "Plugins/PowerSupply/manifest.json")
    } catch {
      throw PluginError(.source, device: Self.device, cause: error.description)
    }
  }

  public func open(_ port: DevicePort, at instant: Instant) throws(PluginError) {
    watch =
      settings.asksUPower
      ? UPowerWatch(settings, port: port, clock: clock)
      : try PowerWatch(settings, port: port, hearsKernel: hearsKernel, clock: clock)
  }

  public func read(at instant: Instant) { watch?.read(at: instant) }

  public func apply(_ setting: Setting, at instant: Instant) throws(PluginError) {}

  public func wake(at instant: Instant, horizon: Instant) { watch?.wake(at: instant) }

  public func close(at instant: Instant) {
    watch?.close(at: instant)
    watch = nil
  }
}
