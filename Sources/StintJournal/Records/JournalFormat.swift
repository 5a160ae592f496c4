/// The binary format of a journal. All integers are little-endian.
///
/// A file begins with 16 bytes: the eight letters `STINTJNL`, the format version (4 bytes), and the CRC-32C
/// of these twelve bytes. Records follow without gaps:
///
/// | bytes | meaning |
/// | --- | --- |
/// | 4 | length of the payload |
/// | 1 | kind |
/// | 8 | instant, nanoseconds since 1970 |
/// | 3 | the lower 24 bits of the CRC-32C of the 13 bytes before |
/// | length | payload |
/// | 4 | CRC-32C of all preceding bytes of this record |
///
/// The head has its own checksum so that a damaged length is not mistaken for an incomplete last record.
public enum JournalFormat {
  /// The version that this program writes, and the latest version that it reads.
  ///
  /// Version 1 is the first. Version 2 adds records for gaps, for files that continue another file, and for
  /// images.
  public static let version: UInt32 = 2
  /// The maximum length of a payload in bytes: 16 MiB.
  public static let payloadLimit = 16 << 20

  static let letters = Array("STINTJNL".utf8)
  /// The length of the file header in bytes.
  static let headerLength = 16
  /// The length of the parts of a record before and after the payload, in bytes.
  static let headLength = 16
  static let tailLength = 4

  static var header: [UInt8] { header(version: version) }

  /// Returns the header of a journal of the given version.
  static func header(version: UInt32) -> [UInt8] {
    var bytes = letters
    append(version, to: &bytes)
    append(Checksum.crc32c(bytes), to: &bytes)
    return bytes
  }

  static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// The number of bytes of a head that are covered by the checksum of the head.
  static let checkedLength = 13

  /// Writes the head of a record: 16 bytes, as two integers of eight bytes. Returns the CRC-32C of the first
  /// `checkedLength` bytes.
  @inline(__always)
  static func writeHead(
    length: Int, kind: UInt8, instant: Int64, to destination: UnsafeMutableRawBufferPointer
  ) -> UInt32 {
    let moment = UInt64(bitPattern: instant)
    let first = UInt64(length) | UInt64(kind) << 32 | moment << 40
    let second = moment >> 24
    destination.storeBytes(of: first.littleEndian, toByteOffset: 0, as: UInt64.self)
    destination.storeBytes(of: second.littleEndian, toByteOffset: 8, as: UInt64.self)
    let sum = Checksum.crc32c(UnsafeRawBufferPointer(rebasing: destination[..<checkedLength]))
    let check = second | UInt64(sum & 0xFF_FFFF) << 40
    destination.storeBytes(of: check.littleEndian, toByteOffset: 8, as: UInt64.self)
    return sum
  }
}
