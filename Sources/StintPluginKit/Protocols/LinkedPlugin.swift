public import StintModel
public import StintUnits

/// A plugin that is linked into a program: what a site file may say about it, and how it is made.
public struct LinkedPlugin: Sendable {
  /// The time of the run, now. For threads of a plugin's own, which get no instant with a call; may be called
  /// from any thread and never falls by more than the host's own readings do.
  public typealias Clock = @Sendable () -> Instant

  /// A device with the JSON text of its manifest, which journals keep.
  public struct Device: Sendable {
    public let plugin: any DevicePlugin
    public let manifestText: String

    /// Pairs a device with its manifest's text.
    public init(_ plugin: any DevicePlugin, manifestText: String) {
      self.plugin = plugin
      self.manifestText = manifestText
    }
  }

  public let form: PluginForm
  /// Makes the devices of one site entry. Nothing is opened: that comes with `DevicePlugin.open`.
  ///
  /// Throws a `PluginError` when the settings, each of the kind that the form says, do not go together.
  public let make:
    @Sendable (_ settings: [String: PluginSettingValue], _ clock: @escaping Clock) throws(PluginError)
      -> [Device]

  /// Describes a plugin.
  public init(
    form: PluginForm,
    make:
      @escaping @Sendable ([String: PluginSettingValue], @escaping Clock) throws(PluginError)
      -> [Device]
  ) {
    self.form = form
    self.make = make
  }
}
