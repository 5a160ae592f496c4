/// The ring's descriptors that a plugin's process inherits.
struct RingDescriptors: Hashable, Sendable {
  var memory: Int32
  /// A write to this pipe wakes the host.
  var event: Int32
  /// Becomes readable, and so wakes the plugin, when the ring has free space again.
  var room: Int32

  /// The descriptor numbers that the protocol defines.
  static let inherited = RingDescriptors(memory: 4, event: 5, room: 6)
}
