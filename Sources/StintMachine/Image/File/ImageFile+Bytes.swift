public import StintUnits

extension ImageFile {
  /// The versions that this Stint writes and reads.
  public static let stableVersion: UInt16 = 1
  public static let rebuildableVersion: UInt16 = 2
  /// No image is longer: 16 MiB.
  public static let mostBytes = 16 << 20

  /// Whether bytes claim to be an image: a policy's text never begins so.
  public static func claims(_ bytes: [UInt8]) -> Bool { bytes.starts(with: ImageHeader.magic) }

  /// The file; the same bytes for the same content, on every machine.
  public var bytes: [UInt8] {
    var stable = ImageWriter()
    stable.write(texts)
    var rebuildable = ImageWriter()
    writeRebuildable(to: &rebuildable)
    let header = ImageHeader(stable: stable.bytes, rebuildable: rebuildable.bytes, language: texts.language)
    return header.bytes + stable.bytes + rebuildable.bytes
  }

  /// Reads a file. What it holds is well-formed, and no more: the verifier says whether it is safe.
  public init(_ bytes: [UInt8]) throws(Problem) {
    let header = try Self.header(bytes)
    let texts = try Self.texts(bytes, header)
    guard header.rebuildableVersion == Self.rebuildableVersion else {
      throw Problem(
        .version, place: "byte 12, the header",
        cause: "its rules are of version \(header.rebuildableVersion), and this Stint runs version "
          + "\(Self.rebuildableVersion)",
        remedy: "`stint compile IMAGE -o IMAGE` compiles the texts within it again")
    }
    let start = ImageHeader.size + header.stableLength
    guard CRC32C.of(bytes[start...]) == header.rebuildableChecksum else {
      throw Problem(
        .checksum, place: "bytes \(start) to \(bytes.count), the rebuildable part",
        cause: "the checksum is not that of the rules: they are damaged",
        remedy: "`stint compile IMAGE -o IMAGE` compiles the texts within it again")
    }
    var reader = ImageReader(bytes, in: start..<bytes.count, part: "the rebuildable part")
    try self.init(texts: texts, rebuildable: &reader)
    try reader.finish()
  }

  /// The texts in a file, also when its rules are damaged or of another version.
  public static func texts(_ bytes: [UInt8]) throws(Problem) -> ImageTexts {
    try texts(bytes, try header(bytes))
  }

  private static func header(_ bytes: [UInt8]) throws(Problem) -> ImageHeader {
    guard bytes.count <= mostBytes else {
      throw Problem(
        .size, place: "the file",
        cause: "it has \(bytes.count) bytes, and no image has more than \(mostBytes)",
        remedy: "split the policies")
    }
    return try ImageHeader(bytes)
  }

  private static func texts(_ bytes: [UInt8], _ header: ImageHeader) throws(Problem) -> ImageTexts {
    guard header.stableVersion == stableVersion else {
      throw Problem(
        .version, place: "byte 10, the header",
        cause: "it is an image of version \(header.stableVersion), and this Stint reads version "
          + "\(stableVersion)", remedy: "use the Stint that wrote it, or compile its policies with this one")
    }
    let range = ImageHeader.size..<(ImageHeader.size + header.stableLength)
    guard CRC32C.of(bytes[range]) == header.stableChecksum else {
      throw Problem(
        .checksum, place: "bytes \(range.lowerBound) to \(range.upperBound), the stable part",
        cause: "the checksum is not that of the texts: they are damaged",
        remedy: "copy the image again, or compile its policies again")
    }
    var reader = ImageReader(bytes, in: range, part: "the stable part")
    let texts = try reader.read(ImageTexts.self)
    try reader.finish()
    guard texts.language == header.language else {
      throw reader.trap(
        .contradiction, at: range.lowerBound,
        "the texts are of language version \(texts.language), the header says \(header.language)")
    }
    guard texts.language <= ImageTexts.newestLanguage else {
      throw Problem(
        .version, place: "byte 14, the header",
        cause: "its texts are of language version \(texts.language), and this Stint knows version "
          + "\(ImageTexts.newestLanguage)", remedy: "use a newer Stint")
    }
    return texts
  }
}
