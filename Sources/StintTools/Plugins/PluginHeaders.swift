/// The C headers that `stint plugin new` puts beside a plugin in C, as bytes.
package enum PluginHeaders {
  /// Frames over the socket.
  package static var channel: [UInt8] { PackageResources.c_channel_h_template }
  /// The numbers of the protocol.
  package static var protocolNumbers: [UInt8] { PackageResources.c_protocol_h_template }
  /// Frames through shared memory.
  package static var ring: [UInt8] { PackageResources.c_ring_h_template }
}
