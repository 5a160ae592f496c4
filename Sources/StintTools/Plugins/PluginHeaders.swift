/// The C headers that `stint plugin new` adds to a plugin in C, as bytes.
package enum PluginHeaders {
  /// The header for frames over the socket.
  package static var channel: [UInt8] { PackageResources.c_channel_h_template }
  /// The header with the constants of the protocol.
  package static var protocolNumbers: [UInt8] { PackageResources.c_protocol_h_template }
  /// The header for frames through shared memory.
  package static var ring: [UInt8] { PackageResources.c_ring_h_template }
}
