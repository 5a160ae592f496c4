import CStintChecks

/// CRC-32C (Castagnoli): the checksum of journal records.
///
/// By the processor's instruction where it has one; else eight bytes at a time from eight tables, which are made once.
public enum Checksum {
  /// The polynomial 0x1EDC6F41 with its bits mirrored.
  private static let polynomial: UInt32 = 0x82F6_3B78

  private static let isInstruction = stint_has_crc32c() != 0

  private static let tables: [UInt32] = makeTables()

  private static func makeTables() -> [UInt32] {
    var tables = [UInt32](repeating: 0, count: 8 * 256)
    for index in 0..<256 {
      var value = UInt32(index)
      for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ polynomial : value >> 1 }
      tables[index] = value
    }
    for index in 256..<tables.count {
      let before = tables[index - 256]
      tables[index] = before >> 8 ^ tables[Int(before & 0xFF)]
    }
    return tables
  }

  /// The checksum of bytes; give the checksum of what went before as `previous` to continue it.
  public static func crc32c(_ bytes: UnsafeRawBufferPointer, continuing previous: UInt32 = 0) -> UInt32 {
    guard let start = bytes.baseAddress, !bytes.isEmpty else { return previous }
    return isInstruction
      ? ~stint_crc32c(~previous, start, bytes.count) : crc32cByTables(bytes, continuing: previous)
  }

  /// The same without the instruction.
  static func crc32cByTables(_ bytes: UnsafeRawBufferPointer, continuing previous: UInt32 = 0) -> UInt32 {
    tables.withUnsafeBufferPointer { table in
      var sum = ~previous
      var index = 0
      while index + 8 <= bytes.count {
        let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        let low = sum ^ UInt32(truncatingIfNeeded: word)
        let high = UInt32(truncatingIfNeeded: word >> 32)
        sum =
          table[7 * 256 + Int(low & 0xFF)] ^ table[6 * 256 + Int(low >> 8 & 0xFF)]
          ^ table[5 * 256 + Int(low >> 16 & 0xFF)] ^ table[4 * 256 + Int(low >> 24)]
          ^ table[3 * 256 + Int(high & 0xFF)] ^ table[2 * 256 + Int(high >> 8 & 0xFF)]
          ^ table[256 + Int(high >> 16 & 0xFF)] ^ table[Int(high >> 24)]
        index += 8
      }
      while index < bytes.count {
        sum = table[Int((sum ^ UInt32(bytes[index])) & 0xFF)] ^ sum >> 8
        index += 1
      }
      return ~sum
    }
  }

  /// The checksum of bytes.
  public static func crc32c(_ bytes: [UInt8]) -> UInt32 {
    bytes.withUnsafeBytes { crc32c($0) }
  }
}
