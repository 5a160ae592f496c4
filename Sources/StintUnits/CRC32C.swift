/// The CRC-32C (Castagnoli) checksum of images and journals, computed byte by byte.
public enum CRC32C {
  /// The remainder of each byte value for the reflected form of the polynomial 0x1EDC6F41.
  @usableFromInline
  static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0x82F6_3B78 : sum >> 1 }
  }

  /// Computes the checksum of bytes. To continue a checksum, pass the checksum of the preceding bytes as
  /// `previous`.
  @inlinable
  public static func of(_ bytes: some Sequence<UInt8>, continuing previous: UInt32 = 0) -> UInt32 {
    let table = table
    var sum = ~previous
    for byte in bytes { sum = table[Int((sum ^ UInt32(byte)) & 0xFF)] ^ sum >> 8 }
    return ~sum
  }
}
