/// How a journal lies on disk; all numbers little-endian.
///
/// The file starts with 16 bytes: the eight letters `STINTJNL`, the format version (4 bytes), and the
/// CRC-32C of these twelve. Then records follow without gaps:
///
/// | bytes | meaning |
/// | --- | --- |
/// | 4 | length of the payload |
/// | 1 | kind |
/// | 8 | instant, nanoseconds since 1970 |
/// | 3 | the lower 24 bits of the CRC-32C of the 13 bytes before |
/// | length | payload |
/// | 4 | CRC-32C of everything before in this record |
///
/// The head has a check of its own so that a damaged length is not taken for a torn tail.
public enum JournalFormat {
  /// The version this program writes, and the latest it reads.
  ///
  /// 1: the first. 2: records that tell of gaps, of files that go on from others, and of images.
  public static let version: UInt32 = 2
  /// The longest payload: 16 MiB.
  public static let payloadLimit = 16 << 20

  static let letters = Array("STINTJNL".utf8)
  static let headerLength = 16
  static let headLength = 16
  static let tailLength = 4

  /// What a fresh journal starts with.
  static var header: [UInt8] { header(version: version) }

  /// What a journal of some version starts with.
  static func header(version: UInt32) -> [UInt8] {
    var bytes = letters
    append(version, to: &bytes)
    append(Checksum.crc32c(bytes), to: &bytes)
    return bytes
  }

  static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// How many bytes of a head its own check covers.
  static let checkedLength = 13

  /// Writes what stands before a payload: sixteen bytes, put together as two numbers. Returns the CRC-32C of those
  /// that it covers.
  @inline(__always)
  static func writeHead(
    length: Int, kind: UInt8, instant: Int64, to place: UnsafeMutableRawBufferPointer
  ) -> UInt32 {
    let moment = UInt64(bitPattern: instant)
    let first = UInt64(length) | UInt64(kind) << 32 | moment << 40
    let second = moment >> 24
    place.storeBytes(of: first.littleEndian, toByteOffset: 0, as: UInt64.self)
    place.storeBytes(of: second.littleEndian, toByteOffset: 8, as: UInt64.self)
    let sum = Checksum.crc32c(UnsafeRawBufferPointer(rebasing: place[..<checkedLength]))
    let check = second | UInt64(sum & 0xFF_FFFF) << 40
    place.storeBytes(of: check.littleEndian, toByteOffset: 8, as: UInt64.self)
    return sum
  }
}
