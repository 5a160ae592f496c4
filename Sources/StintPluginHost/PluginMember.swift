public import StintModel
public import StintPluginKit

/// One plugin of a `PluginSet`, with its port. The plugin is also available as each plugin protocol that its
/// manifest requires.
public struct PluginMember: Sendable {
  /// The plugin.
  public let plugin: any DevicePlugin
  /// The manifest of the plugin's device, with the names that the site gives to the device.
  public let manifest: Manifest
  /// The port through which the plugin reports.
  public let port: DevicePort
  /// The plugin as a sensor; nil when the device is not a sensor.
  public let sensor: (any SensorPlugin)?
  /// The plugin as a radio; nil when the device is not a radio.
  public let radio: (any RadioPlugin)?
  /// The plugin as a carrier; nil when its manifest does not provide the role.
  public let carrier: (any TransferCarrier)?
  /// The plugin as a processor; nil when the device is not a processor.
  public let processor: (any ProcessorPlugin)?
  /// The plugin as a readable source; nil when the device is not a source or the plugin cannot be read.
  public let source: (any SourcePlugin)?

  /// The name of the device.
  public var device: DeviceID { manifest.device }

  init(_ plugin: any DevicePlugin, manifest: Manifest, onReady: (@Sendable () -> Void)?) {
    self.plugin = plugin
    self.manifest = manifest
    self.port = DevicePort(manifest: manifest, own: plugin.manifest, onReady: onReady)
    sensor = manifest.kind == .sensor ? plugin as? any SensorPlugin : nil
    radio = manifest.kind == .radio ? plugin as? any RadioPlugin : nil
    carrier = manifest.provides.contains(.carrier) ? plugin as? any TransferCarrier : nil
    processor = manifest.kind == .processor ? plugin as? any ProcessorPlugin : nil
    source = manifest.kind == .source ? plugin as? any SourcePlugin : nil
  }

  /// The contradiction between the plugin and its manifest; nil when they agree.
  var rejectionReason: String? {
    if manifest.provides.contains(.carrier), carrier == nil {
      return "provides “carrier”, but the plugin is not a TransferCarrier"
    }
    switch manifest.kind {
    case .sensor where sensor == nil: return "declares a sensor, but the plugin is not a SensorPlugin"
    case .radio where radio == nil: return "declares a radio, but the plugin is not a RadioPlugin"
    case .processor where processor == nil:
      return "declares a processor, but the plugin is not a ProcessorPlugin"
    case .source where source == nil && manifest.facts.contains { $0.reading != nil }:
      return "declares facts with “read”, but the plugin is not a SourcePlugin"
    default: return nil
    }
  }
}
