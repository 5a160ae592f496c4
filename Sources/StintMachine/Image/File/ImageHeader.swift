public import StintUnits

/// The header of an image file. Its layout is the same in every version.
///
/// | bytes | content |
/// |---|---|
/// | 0–7 | the signature `89 53 54 49 4D 0D 0A 1A`: not valid UTF-8, and damaged by line-end conversion |
/// | 8–9 | the number 0x0102, stored as `02 01`: all numbers are little-endian |
/// | 10–11 | the version of the stable part |
/// | 12–13 | the version of the rebuildable part |
/// | 14–15 | the version of the policy language |
/// | 16–19, 20–23 | length and CRC-32C of the stable part, which follows the header |
/// | 24–27, 28–31 | length and CRC-32C of the rebuildable part, which follows the stable part |
/// | 32–35 | CRC-32C of the 32 bytes before |
public struct ImageHeader: Hashable, Sendable {
  /// The size of the header in bytes.
  public static let size = 36
  static let magic: [UInt8] = [0x89, 0x53, 0x54, 0x49, 0x4D, 0x0D, 0x0A, 0x1A]
  static let byteOrder: UInt16 = 0x0102

  /// The version of the stable part.
  public var stableVersion: UInt16
  /// The version of the rebuildable part.
  public var rebuildableVersion: UInt16
  /// The version of the policy language.
  public var language: UInt16
  /// The length of the stable part in bytes.
  public var stableLength: Int
  /// The CRC-32C of the stable part.
  public var stableChecksum: UInt32
  /// The length of the rebuildable part in bytes.
  public var rebuildableLength: Int
  /// The CRC-32C of the rebuildable part.
  public var rebuildableChecksum: UInt32

  func write(to writer: inout ImageWriter) {
    for byte in Self.magic { writer.byte(byte) }
    writer.fixed(Self.byteOrder)
    writer.fixed(stableVersion)
    writer.fixed(rebuildableVersion)
    writer.fixed(language)
    writer.index(stableLength)
    writer.fixed(stableChecksum)
    writer.index(rebuildableLength)
    writer.fixed(rebuildableChecksum)
    writer.fixed(CRC32C.of(writer.bytes[...]))
  }

  /// Decodes the header of a complete file.
  ///
  /// - Throws: `Problem` when the signature, byte order, checksum or file length is wrong.
  public init(_ bytes: [UInt8]) throws(Problem) {
    guard bytes.starts(with: Self.magic) else {
      throw Problem(
        .unexpectedContent, place: "byte 0, the header",
        cause: bytes.isEmpty ? "the file is empty" : "the file does not begin with the signature of an image",
        remedy: "name a file that `stint compile` wrote")
    }
    guard bytes.count >= Self.size else {
      throw Self.trap(.length, at: bytes.count, "the file ends within the header")
    }
    var reader = ImageReader(bytes, in: Self.magic.count..<Self.size, part: "the header")
    let order = try reader.fixed(UInt16.self)
    guard order != Self.byteOrder.byteSwapped else {
      throw Self.trap(
        .byteOrder, at: 8, "the numbers are big-endian, but must be little-endian")
    }
    let checksum = CRC32C.of(bytes[..<(Self.size - 4)])
    stableVersion = try reader.fixed(UInt16.self)
    rebuildableVersion = try reader.fixed(UInt16.self)
    language = try reader.fixed(UInt16.self)
    stableLength = try reader.index()
    stableChecksum = try reader.fixed(UInt32.self)
    rebuildableLength = try reader.index()
    rebuildableChecksum = try reader.fixed(UInt32.self)
    guard try reader.fixed(UInt32.self) == checksum, order == Self.byteOrder else {
      throw Self.trap(.checksum, at: Self.size - 4, "the header is damaged: its checksum is wrong")
    }
    let expected = Self.size + stableLength + rebuildableLength
    guard bytes.count == expected else {
      throw Self.trap(
        .length, at: min(bytes.count, expected),
        bytes.count < expected
          ? "the number of missing bytes at the end is \(expected - bytes.count)"
          : "the number of unexpected bytes at the end is \(bytes.count - expected)")
    }
  }

  /// The encoded header.
  public var bytes: [UInt8] {
    var writer = ImageWriter()
    write(to: &writer)
    return writer.bytes
  }

  /// Creates the header for the two encoded parts of a file.
  public init(stable: [UInt8], rebuildable: [UInt8], language: Int) {
    stableVersion = ImageFile.stableVersion
    rebuildableVersion = ImageFile.rebuildableVersion
    self.language = UInt16(clamping: language)
    stableLength = stable.count
    stableChecksum = CRC32C.of(stable[...])
    rebuildableLength = rebuildable.count
    rebuildableChecksum = CRC32C.of(rebuildable[...])
  }

  private static func trap(_ code: Problem.Code, at place: Int, _ sentence: String) -> Problem {
    Problem(
      code, place: "byte \(place), the header", cause: sentence,
      remedy: "copy the image again, or compile its policies again")
  }
}
