/// The names that a site gives to the devices of one plugin, in place of the names in their manifests.
///
/// The JSON form in an entry of a site file: `"as": "ambient.indoor"` for a plugin with one device, or
/// `"as": {"motion.gyro": "hand.gyro"}`. The plugin itself uses the names of its manifests.
public enum InstanceNames: Hashable, Sendable {
  /// Each device has the name of its manifest.
  case own
  /// The only device of the plugin has this name.
  case single(DeviceID)
  /// Some devices have new names; the keys are the names in their manifests. All other devices have the names
  /// in their manifests.
  case each([DeviceID: DeviceID])
}
