import StintFormats
public import StintModel
public import StintPluginKit
public import StintUnits

/// Batteries, mains and temperatures, from the files of `/sys/class/power_supply` and `/sys/class/thermal`,
/// or from UPower.
///
/// The plugin reads when the governor requests its facts for a rule or service. After the first request, the
/// plugin also reads when the kernel, or UPower, reports a change.
public actor PowerSupplyPlugin: SourcePlugin {
  /// The path of the device.
  public static let device: DeviceID = "power.supply"

  /// The manifest of the device.
  public nonisolated let manifest: Manifest
  private let settings: PowerSupplySettings
  private let clock: LinkedPlugin.Clock
  private let hearsKernel: Bool
  private var watch: (any PowerWatching)?

  /// The settings of the plugin in a site file, and the function that makes the device.
  public static let linked = LinkedPlugin(form: PowerSupplySettings.form) {
    (values, clock) throws(Problem) -> [LinkedPlugin.Device] in
    let plugin = try PowerSupplyPlugin(PowerSupplySettings(values), clock: clock)
    return [
      LinkedPlugin.Device(
        plugin, manifestText: String(decoding: PackageResources.manifest_json, as: UTF8.self))
    ]
  }

  /// Makes the plugin. `hearsKernel` is false in tests that read values, because messages of the test
  /// machine's kernel would cause further reads.
  init(
    _ settings: PowerSupplySettings, hearsKernel: Bool = true, clock: @escaping LinkedPlugin.Clock
  ) throws(Problem) {
    self.settings = settings
    self.clock = clock
    self.hearsKernel = hearsKernel
    do throws(Problem) {
      manifest = try ManifestReader.manifest(
        of: PackageResources.manifest_json, source: "Plugins/PowerSupply/manifest.json")
    } catch {
      throw Problem(.source, device: Self.device, cause: error.description)
    }
  }

  /// Starts without reading. The first read follows the first request.
  public func open(_ port: DevicePort, at instant: Instant) throws(Problem) {
    watch =
      settings.asksUPower
      ? try UPowerWatch(settings, port: port, clock: clock)
      : try PowerWatch(settings, port: port, hearsKernel: hearsKernel, clock: clock)
  }

  /// Reads and publishes all facts.
  public func read(at instant: Instant) { watch?.read(at: instant) }

  /// Does nothing: the source has no settings.
  public func apply(_ setting: Setting, at instant: Instant) throws(Problem) {}

  /// Handles an expired alarm. Reads after a change that the kernel reported, or sets the alarm again when it
  /// is too early for a read. With UPower, does nothing.
  public func wake(at instant: Instant, horizon: Instant) { watch?.wake(at: instant) }

  /// Closes the sockets; the threads end by themselves.
  public func close(at instant: Instant) {
    watch?.close(at: instant)
    watch = nil
  }
}
