import StintFormats
public import StintModel
public import StintPluginKit
public import StintUnits

/// An accelerometer, gyroscope or magnetometer of the Linux industrial I/O subsystem, used through sysfs and
/// its device node.
///
/// At fast rates, the kernel's buffer wakes the plugin once for many scans. At slow rates, the plugin reads
/// single values, and the sensor sleeps between them. The plugin reads rates back and reports the actual
/// rate.
public actor IIOPlugin: SensorPlugin {
  /// The manifest of the device.
  public nonisolated let manifest: Manifest
  private let settings: IIOSettings
  private let clock: LinkedPlugin.Clock
  private var link: IIOLink?

  /// The settings of the plugin in a site file, and the function that makes the device.
  public static let linked = LinkedPlugin(form: IIOSettings.form) {
    (values, clock) throws(Problem) -> [LinkedPlugin.Device] in
    let settings = try IIOSettings(values)
    let plugin = try IIOPlugin(settings, clock: clock)
    return [
      LinkedPlugin.Device(
        plugin, manifestText: String(decoding: settings.kind.manifestBytes, as: UTF8.self))
    ]
  }

  init(_ settings: IIOSettings, clock: @escaping LinkedPlugin.Clock) throws(Problem) {
    self.settings = settings
    self.clock = clock
    do throws(Problem) {
      manifest = try ManifestReader.manifest(
        of: settings.kind.manifestBytes, source: "Plugins/IIO/Manifests/\(settings.kind.rawValue).json")
    } catch {
      throw Problem(.source, device: settings.kind.device, cause: error.description)
    }
  }

  /// Finds the device and turns off a buffer that another program has left on.
  public func open(_ port: DevicePort, at instant: Instant) throws(Problem) {
    let link = try IIOLink(settings, port: port, clock: clock)
    link.change(.open, at: instant) { $0.open(at: instant) }
    self.link = link
  }

  /// Starts, changes or stops the sampling, according to the setting.
  public func apply(_ setting: Setting, at instant: Instant) throws(Problem) {
    link?.change(.apply, at: instant) { $0.apply(setting, at: instant) }
  }

  /// Reads the buffer and delivers the held samples.
  public func drain(at instant: Instant, reason: DeliveryReason) {
    link?.change(.drain, at: instant) { $0.drain(at: instant, reason: reason) }
  }

  /// Performs the work of the expired alarm, such as the next single reading.
  public func wake(at instant: Instant, horizon: Instant) {
    link?.change(.wake, at: instant) { $0.wake(at: instant) }
  }

  /// Turns the sensor off and delivers the held samples.
  public func close(at instant: Instant) {
    link?.change(.close, at: instant) { $0.close(at: instant) }
    link = nil
  }
}
