import CStintChecks
import StintUnits

/// CRC-32C of journal records. Uses the CRC instruction of the processor where available, otherwise `CRC32C`.
public enum Checksum {
  private static let hasInstruction = stint_has_crc32c() != 0

  /// Returns the checksum of bytes. To continue a checksum, pass the checksum of the preceding bytes as
  /// `previous`.
  public static func crc32c(_ bytes: UnsafeRawBufferPointer, continuing previous: UInt32 = 0) -> UInt32 {
    guard let start = bytes.baseAddress, !bytes.isEmpty else { return previous }
    return hasInstruction
      ? ~stint_crc32c(~previous, start, bytes.count) : CRC32C.of(bytes, continuing: previous)
  }

  /// Returns the checksum of bytes.
  public static func crc32c(_ bytes: [UInt8]) -> UInt32 {
    bytes.withUnsafeBytes { crc32c($0) }
  }
}
