import StintFormats
public import StintModel
public import StintPluginKit
public import StintUnits

/// A GNSS receiver behind gpsd. The plugin opens its watch when the device turns on, and closes it in the
/// same step in which the device turns off.
///
/// gpsd itself keeps the receiver on after its last watcher has left, by default for a minute
/// (`GpsdSettings.release`). The device is in the state `released` for that time, and then off. Another
/// client of gpsd may keep the receiver on for longer.
public actor GpsdPlugin: SensorPlugin {
  /// The path of the device.
  public static let device: DeviceID = "location.gnss"

  /// The manifest of the device.
  public nonisolated let manifest: Manifest
  private let settings: GpsdSettings
  private let clock: LinkedPlugin.Clock
  private var link: GpsdLink?

  /// The settings of the plugin in a site file, and the function that makes the device.
  public static let linked = LinkedPlugin(form: GpsdSettings.form) {
    (values, clock) throws(Problem) -> [LinkedPlugin.Device] in
    let settings = try GpsdSettings(values)
    return [
      LinkedPlugin.Device(
        try GpsdPlugin(settings, clock: clock), manifestText: manifestText(settings))
    ]
  }

  /// Returns the text of the manifest, in which the time of the state `released` is the setting `release`.
  private static func manifestText(_ settings: GpsdSettings) -> String {
    let text = String(decoding: PackageResources.manifest_json, as: UTF8.self)
    let parts = text.split(separator: "\"released_for\": \"60 s\"", omittingEmptySubsequences: false)
    return parts.joined(separator: "\"released_for\": \"\(settings.release)\"")
  }

  init(_ settings: GpsdSettings, clock: @escaping LinkedPlugin.Clock) throws(Problem) {
    self.settings = settings
    self.clock = clock
    do throws(Problem) {
      manifest = try ManifestReader.manifest(
        of: Array(Self.manifestText(settings).utf8), source: "Plugins/Gpsd/manifest.json")
    } catch {
      throw Problem(.source, device: Self.device, cause: error.description)
    }
  }

  /// Starts without a connection; the first setting that is on opens a connection.
  public func open(_ port: DevicePort, at instant: Instant) throws(Problem) {
    link = try GpsdLink(settings, port: port, clock: clock)
  }

  /// Opens or closes the watch, and requests the rate.
  public func apply(_ setting: Setting, at instant: Instant) throws(Problem) {
    link?.apply(setting, at: instant)
  }

  /// Delivers the held positions.
  public func drain(at instant: Instant, reason: DeliveryReason) { link?.drain(at: instant, reason: reason) }

  /// Ends the state `released` when its time has expired.
  public func wake(at instant: Instant, horizon: Instant) { link?.wake(at: instant) }

  /// Closes the watch and the connection.
  public func close(at instant: Instant) {
    link?.close(at: instant)
    link = nil
  }
}
