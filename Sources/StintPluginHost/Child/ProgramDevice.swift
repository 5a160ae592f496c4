public import StintModel

/// A device of a plugin's program, with its name in the site and its name in the plugin.
public struct ProgramDevice: Hashable, Sendable {
  /// The manifest with the name that the site gives to the device.
  public var manifest: Manifest
  /// The manifest as the plugin has it. Only the name of the device, and the names that contain it, may
  /// differ from `manifest`.
  public var ownManifest: Manifest

  /// Makes the description of a device.
  ///
  /// - Parameter own: the manifest as the plugin has it; nil when the site does not rename the device.
  public init(_ manifest: Manifest, own: Manifest? = nil) {
    self.manifest = manifest
    ownManifest = own ?? manifest
  }
}
