import StintFormats
public import StintModel
public import StintPluginKit
public import StintUnits

/// An accelerometer, gyroscope or magnetometer of Linux' industrial I/O subsystem, by the files of sysfs and the
/// buffer of its device node.
///
/// What is fast comes through the kernel's buffer, which wakes the plugin once for many scans; what is slow
/// is read one by one, and the sensor sleeps in between. What the device answers with is what it really does:
/// rates are read back.
public actor IIOPlugin: SensorPlugin {
  public nonisolated let manifest: Manifest
  private let settings: IIOSettings
  private let clock: LinkedPlugin.Clock
  private var link: IIOLink?

  /// What a site file may say of it, and how it is made.
  public static let linked = LinkedPlugin(form: IIOSettings.form) {
    (values, clock) throws(PluginError) -> [LinkedPlugin.Device] in
    let settings = try IIOSettings(values)
    let plugin = try IIOPlugin(settings, clock: clock)
    return [
      LinkedPlugin.Device(
        plugin, manifestText: String(decoding: settings.kind.manifestBytes, as: UTF8.self))
    ]
  }

  init(_ settings: IIOSettings, clock: @escaping LinkedPlugin.Clock) throws(PluginError) {
    self.settings = settings
    self.clock = clock
    do throws(Problem) {
      manifest = try ManifestReader.manifest(
        of: settings.kind.manifestBytes, source: "Plugins/IIO/Manifests/\(settings.kind.rawValue).json")
    } catch {
      throw PluginError(.source, device: settings.kind.device, cause: error.description)
    }
  }

  public func open(_ port: DevicePort, at instant: Instant) throws(PluginError) {
    let link = try IIOLink(settings, port: port, clock: clock)
    link.change(.open, at: instant) { $0.open(at: instant) }
    self.link = link
  }

  public func apply(_ setting: Setting, at instant: Instant) throws(PluginError) {
    link?.change(.apply, at: instant) { $0.apply(setting, at: instant) }
  }

  public func drain(at instant: Instant, reason: DeliveryReason) {
    link?.change(.drain, at: instant) { $0.drain(at: instant, reason: reason) }
  }

  public func wake(at instant: Instant, horizon: Instant) {
    link?.change(.wake, at: instant) { $0.wake(at: instant) }
  }

  public func close(at instant: Instant) {
    link?.change(.close, at: instant) { $0.close(at: instant) }
    link = nil
  }
}
