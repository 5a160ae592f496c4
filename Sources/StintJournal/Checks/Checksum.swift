import CStintChecks
import StintUnits

/// CRC-32C of journal records: by the processor's instruction where it has one, else by the table of `CRC32C`.
public enum Checksum {
  private static let isInstruction = stint_has_crc32c() != 0

  /// The checksum of bytes; give the checksum of what went before as `previous` to continue it.
  public static func crc32c(_ bytes: UnsafeRawBufferPointer, continuing previous: UInt32 = 0) -> UInt32 {
    guard let start = bytes.baseAddress, !bytes.isEmpty else { return previous }
    return isInstruction
      ? ~stint_crc32c(~previous, start, bytes.count) : CRC32C.of(bytes, continuing: previous)
  }

  /// The checksum of bytes.
  public static func crc32c(_ bytes: [UInt8]) -> UInt32 {
    bytes.withUnsafeBytes { crc32c($0) }
  }
}
