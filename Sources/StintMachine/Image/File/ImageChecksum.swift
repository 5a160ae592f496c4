/// CRC-32C (Castagnoli) of the parts of an image, without pointers.
public enum ImageChecksum {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0x82F6_3B78 : sum >> 1 }
  }

  /// The checksum of bytes.
  public static func of(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    let table = table
    var sum = ~UInt32(0)
    for byte in bytes { sum = table[Int((sum ^ UInt32(byte)) & 0xFF)] ^ sum >> 8 }
    return ~sum
  }
}
