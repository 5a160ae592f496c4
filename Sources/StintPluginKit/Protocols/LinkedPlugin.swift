public import StintModel
public import StintUnits

/// A plugin that is linked into the program. The value contains the settings that a site file may specify,
/// and a function that makes the devices.
public struct LinkedPlugin: Sendable {
  /// A function that returns the host's current time. A plugin's own threads need this function, because only
  /// calls of the host pass an instant. May be called from any thread. Successive results never decrease,
  /// unless the clock of the host itself decreases.
  public typealias Clock = @Sendable () -> Instant

  /// A device with the JSON text of its manifest, which the journal stores.
  public struct Device: Sendable {
    /// The device.
    public let plugin: any DevicePlugin
    /// The JSON text of the device's manifest.
    public let manifestText: String

    /// The manifest with the names that the site gives to the device. It equals the manifest of the plugin
    /// when the site does not rename the device.
    public let manifest: Manifest

    /// Pairs a device with the text of its manifest.
    public init(_ plugin: any DevicePlugin, manifestText: String) {
      self.plugin = plugin
      self.manifestText = manifestText
      manifest = plugin.manifest
    }

    /// Pairs a device with its manifest in the site and the text of this manifest.
    package init(_ plugin: any DevicePlugin, manifestText: String, named manifest: Manifest) {
      self.plugin = plugin
      self.manifestText = manifestText
      self.manifest = manifest
    }
  }

  /// The settings that a site file may contain for this plugin.
  public let form: PluginForm
  /// Makes the devices of one site entry, without opening them; the host calls `DevicePlugin.open` later.
  ///
  /// - Throws: a `Problem` when the settings, each valid by itself, contradict each other.
  public let make:
    @Sendable (_ settings: [String: PluginSettingValue], _ clock: @escaping Clock) throws(Problem)
      -> [Device]

  /// Makes the description of a linked plugin.
  public init(
    form: PluginForm,
    make:
      @escaping @Sendable ([String: PluginSettingValue], @escaping Clock) throws(Problem)
      -> [Device]
  ) {
    self.form = form
    self.make = make
  }
}
