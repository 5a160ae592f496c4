public import StintUnits

extension ImageFile {
  /// The version of the stable part that this release writes and reads.
  public static let stableVersion: UInt16 = 1
  /// The version of the rebuildable part that this release writes and reads.
  public static let rebuildableVersion: UInt16 = 5
  /// The largest size of an image file in bytes: 16 MiB.
  public static let maxBytes = 16 << 20

  /// Returns whether bytes begin with the signature of an image. The text of a policy never begins with this
  /// signature.
  public static func claims(_ bytes: [UInt8]) -> Bool { bytes.starts(with: ImageHeader.magic) }

  /// The encoded file. Equal content gives equal bytes on every platform.
  public var bytes: [UInt8] {
    var stable = ImageWriter()
    stable.write(texts)
    var rebuildable = ImageWriter()
    writeRebuildable(to: &rebuildable)
    let header = ImageHeader(stable: stable.bytes, rebuildable: rebuildable.bytes, language: texts.language)
    return header.bytes + stable.bytes + rebuildable.bytes
  }

  /// Decodes a file. The result is well-formed; `ImageVerifier` checks whether it is safe to run.
  ///
  /// - Throws: `Problem` when the bytes are damaged, or of a version that this release does not support.
  public init(_ bytes: [UInt8]) throws(Problem) {
    let header = try Self.header(bytes)
    let texts = try Self.texts(bytes, header)
    guard header.rebuildableVersion == Self.rebuildableVersion else {
      throw Problem(
        .version, place: "byte 12, the header",
        cause: "its rules have version \(header.rebuildableVersion), and this Stint runs version "
          + "\(Self.rebuildableVersion)",
        remedy: "`stint compile IMAGE -o IMAGE` compiles its policy texts again")
    }
    let start = ImageHeader.size + header.stableLength
    guard CRC32C.of(bytes[start...]) == header.rebuildableChecksum else {
      throw Problem(
        .checksum, place: "bytes \(start) to \(bytes.count), the rebuildable part",
        cause: "the rules are damaged: their checksum is wrong",
        remedy: "`stint compile IMAGE -o IMAGE` compiles its policy texts again")
    }
    var reader = ImageReader(bytes, in: start..<bytes.count, part: "the rebuildable part")
    try self.init(texts: texts, rebuildable: &reader)
    try reader.finish()
  }

  /// Returns the policy texts of a file. The rules of the file may be damaged or have an unsupported version.
  ///
  /// - Throws: `Problem` when the header or the stable part is damaged or has an unsupported version.
  public static func texts(_ bytes: [UInt8]) throws(Problem) -> ImageTexts {
    try texts(bytes, try header(bytes))
  }

  private static func header(_ bytes: [UInt8]) throws(Problem) -> ImageHeader {
    guard bytes.count <= maxBytes else {
      throw Problem(
        .size, place: "the file",
        cause: "it has \(bytes.count) bytes, and at most \(maxBytes) are allowed",
        remedy: "split the policies")
    }
    return try ImageHeader(bytes)
  }

  private static func texts(_ bytes: [UInt8], _ header: ImageHeader) throws(Problem) -> ImageTexts {
    guard header.stableVersion == stableVersion else {
      throw Problem(
        .version, place: "byte 10, the header",
        cause: "the image has version \(header.stableVersion), and this Stint reads version "
          + "\(stableVersion)", remedy: "use the Stint that wrote it, or compile its policies with this one")
    }
    let range = ImageHeader.size..<(ImageHeader.size + header.stableLength)
    guard CRC32C.of(bytes[range]) == header.stableChecksum else {
      throw Problem(
        .checksum, place: "bytes \(range.lowerBound) to \(range.upperBound), the stable part",
        cause: "the texts are damaged: their checksum is wrong",
        remedy: "copy the image again, or compile its policies again")
    }
    var reader = ImageReader(bytes, in: range, part: "the stable part")
    let texts = try reader.read(ImageTexts.self)
    try reader.finish()
    guard texts.language == header.language else {
      throw reader.trap(
        .contradiction, at: range.lowerBound,
        "the texts have language version \(texts.language), the header has \(header.language)")
    }
    guard texts.language <= ImageTexts.newestLanguage else {
      throw Problem(
        .version, place: "byte 14, the header",
        cause: "its texts have language version \(texts.language), and this Stint knows version "
          + "\(ImageTexts.newestLanguage)", remedy: "use a newer Stint")
    }
    return texts
  }
}
