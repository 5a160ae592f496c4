public import StintModel
public import StintPluginKit

/// One plugin of a set, with its port, and with the form that its manifest's kind promises already looked up.
public struct PluginMember: Sendable {
  public let plugin: any DevicePlugin
  public let manifest: Manifest
  public let port: DevicePort
  /// Nil unless the device is a sensor.
  public let sensor: (any SensorPlugin)?
  /// Nil unless the device is a radio.
  public let radio: (any RadioPlugin)?
  /// Nil unless the device is a processor.
  public let processor: (any ProcessorPlugin)?
  /// Nil unless the device is a source that is read.
  public let source: (any SourcePlugin)?

  public var device: DeviceID { manifest.device }

  init(_ plugin: any DevicePlugin, manifest: Manifest, onReady: (@Sendable () -> Void)?) {
    self.plugin = plugin
    self.manifest = manifest
    self.port = DevicePort(manifest: manifest, onReady: onReady)
    sensor = manifest.kind == .sensor ? plugin as? any SensorPlugin : nil
    radio = manifest.kind == .radio ? plugin as? any RadioPlugin : nil
    processor = manifest.kind == .processor ? plugin as? any ProcessorPlugin : nil
    source = manifest.kind == .source ? plugin as? any SourcePlugin : nil
  }

  /// Why the plugin is not what its manifest says; nil when it is.
  var rejectionReason: String? {
    switch manifest.kind {
    case .sensor where sensor == nil: "says it is a sensor, and the plugin is not a SensorPlugin"
    case .radio where radio == nil: "says it is a radio, and the plugin is not a RadioPlugin"
    case .processor where processor == nil: "says it is a processor, and the plugin is not a ProcessorPlugin"
    case .source where source == nil && manifest.facts.contains { $0.reading != nil }:
      "says that it is read, and the plugin is not a SourcePlugin"
    default: nil
    }
  }
}
