import StintFormats
public import StintModel
public import StintPluginKit
public import StintUnits

/// A GNSS receiver behind gpsd: a watch is opened when the device is on, and closed in the same step when it is off.
///
/// gpsd itself keeps the receiver on for a minute after its last watcher has left: the device is `released`
/// then, and off after that. Any other client of the same gpsd keeps the receiver on for itself.
public actor GpsdPlugin: SensorPlugin {
  public static let device: DeviceID = "location.gnss"

  public nonisolated let manifest: Manifest
  private let settings: GpsdSettings
  private let clock: LinkedPlugin.Clock
  private var link: GpsdLink?

  /// What a site file may say of it, and how it is made.
  public static let linked = LinkedPlugin(form: GpsdSettings.form) {
    (values, clock) throws(PluginError) -> [LinkedPlugin.Device] in
    let settings = try GpsdSettings(values)
    return [
      LinkedPlugin.Device(
        try GpsdPlugin(settings, clock: clock), manifestText: manifestText(settings))
    ]
  }

  /// The manifest with the time for which gpsd keeps a receiver on, as the settings say it.
  private static func manifestText(_ settings: GpsdSettings) -> String {
    let text = String(decoding: PackageResources.manifest_json, as: UTF8.self)
    let parts = text.split(separator: "\"released_for\": \"60 s\"", omittingEmptySubsequences: false)
    return parts.joined(separator: "\"released_for\": \"\(settings.release)\"")
  }

  init(_ settings: GpsdSettings, clock: @escaping LinkedPlugin.Clock) throws(PluginError) {
    self.settings = settings
    self.clock = clock
    do throws(Problem) {
      manifest = try ManifestReader.manifest(
        of: Array(Self.manifestText(settings).utf8), source: "Plugins/Gpsd/manifest.json")
    } catch {
      throw PluginError(.source, device: Self.device, cause: error.description)
    }
  }

  public func open(_ port: DevicePort, at instant: Instant) throws(PluginError) {
    link = try GpsdLink(settings, port: port, clock: clock)
  }

  public func apply(_ setting: Setting, at instant: Instant) throws(PluginError) {
    link?.apply(setting, at: instant)
  }

  public func drain(at instant: Instant, reason: DeliveryReason) { link?.drain(at: instant, reason: reason) }

  public func wake(at instant: Instant, horizon: Instant) { link?.wake(at: instant) }

  public func close(at instant: Instant) {
    link?.close(at: instant)
    link = nil
  }
}
