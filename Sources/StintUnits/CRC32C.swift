/// CRC-32C (Castagnoli), the checksum of images and journals, a byte at a time.
public enum CRC32C {
  /// The remainder of each byte for the polynomial 0x1EDC6F41 with its bits mirrored.
  @usableFromInline
  static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0x82F6_3B78 : sum >> 1 }
  }

  /// The checksum of bytes; give the checksum of what went before as `previous` to continue it.
  @inlinable
  public static func of(_ bytes: some Sequence<UInt8>, continuing previous: UInt32 = 0) -> UInt32 {
    let table = table
    var sum = ~previous
    for byte in bytes { sum = table[Int((sum ^ UInt32(byte)) & 0xFF)] ^ sum >> 8 }
    return ~sum
  }
}
