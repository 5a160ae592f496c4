/// The descriptors of the ring with which a plugin's process is started.
struct RingDescriptors: Hashable, Sendable {
  var memory: Int32
  /// What wakes the host.
  var event: Int32
  /// What wakes the plugin.
  var room: Int32

  /// As the protocol has them.
  static let inherited = RingDescriptors(memory: 4, event: 5, room: 6)
}
