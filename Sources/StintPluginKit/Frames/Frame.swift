import StintUnits

/// One message of the plugin protocol with an undecoded body. The format does not depend on the transport.
///
/// The header is little-endian. It contains the length of the whole frame (4 bytes), the kind (2), a reserved
/// field (2, zero) and the sequence number (8).
public struct Frame: Hashable, Sendable {
  /// The kind of the message: even when the host sends it, odd when a plugin sends it.
  public var kind: UInt16
  /// The sequence number. Each side counts its frames from 0.
  public var sequence: UInt64
  /// The bytes after the header.
  public var body: [UInt8]

  /// Makes a frame.
  ///
  /// - Precondition: header and body have at most `FrameLayout.largest` bytes.
  public init(kind: UInt16, sequence: UInt64, body: [UInt8]) {
    precondition(body.count <= FrameLayout.largest - FrameLayout.headerSize, "the body is too long")
    self.kind = kind
    self.sequence = sequence
    self.body = body
  }

  /// The encoded frame, header included.
  public var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.append(UInt32(FrameLayout.headerSize + body.count))
    writer.append(kind)
    writer.append(UInt16(0))
    writer.append(sequence)
    return writer.bytes + body
  }
}
