import StintUnits

/// One message of the plugin boundary before anybody has read its body: the same through every carrier.
///
/// The header: length of the whole frame (4 bytes), kind (2), reserved (2, zero), sequence (8); little-endian.
public struct Frame: Hashable, Sendable {
  /// Even for what the host says, odd for what a plugin says.
  public var kind: UInt16
  /// Each side counts its frames from 0.
  public var sequence: UInt64
  public var body: [UInt8]

  /// Makes a frame.
  ///
  /// - Precondition: the body fits.
  public init(kind: UInt16, sequence: UInt64, body: [UInt8]) {
    precondition(body.count <= FrameLayout.largest - FrameLayout.headerSize, "a frame has a bound")
    self.kind = kind
    self.sequence = sequence
    self.body = body
  }

  /// The frame as it travels.
  public var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.append(UInt32(FrameLayout.headerSize + body.count))
    writer.append(kind)
    writer.append(UInt16(0))
    writer.append(sequence)
    return writer.bytes + body
  }
}
