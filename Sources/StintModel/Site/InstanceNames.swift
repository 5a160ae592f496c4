/// The names that a site gives to the devices of one plugin, in place of the names in their manifests.
///
/// The JSON form in an entry of a site file: `"as": "ambient.indoor"` for a plugin with one device, or
/// `"as": {"motion.gyro": "hand.gyro"}`. The plugin itself uses the names of its manifests.
public enum InstanceNames: Hashable, Sendable {
  /// Each device has the name of its manifest.
  case own
  /// The only device of the plugin has this name.
  case single(DeviceID)
  /// The devices have new names by the names of their manifests. The other devices have the names of their
  /// manifests.
  case each([DeviceID: DeviceID])
}
