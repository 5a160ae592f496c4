import StintUnits

extension JournalReader {
  /// What stands before a payload, read and checked.
  struct Head {
    let length: Int
    let kind: UInt8
    let instant: Instant

    /// Reads the head at an offset; nil when its check does not fit.
    init?(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
      let sum = Checksum.crc32c(UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + 13])) & 0xFF_FFFF
      let last = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
      guard last >> 8 == sum else { return nil }
      length = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
      kind = bytes[offset + 4]
      instant = Instant(
        nanoseconds: Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 5, as: Int64.self)))
    }
  }
}

extension JournalReader {
  /// Reads the start of the file; false when the file ends within it.
  mutating func readHeader() throws(JournalError) -> Bool {
    guard try fill(1) else {
      throw JournalError(
        .empty, source: source, cause: "there is nothing in it", step: "start a new journal in its place")
    }
    let isWhole = try fill(JournalFormat.headerLength)
    let start = buffer.prefix(JournalFormat.headerLength)
    guard start.prefix(8).elementsEqual(JournalFormat.letters.prefix(start.count)) else {
      throw JournalError(
        .foreign, source: source, offset: 0, cause: "this is no journal",
        step: "a journal starts with the letters STINTJNL")
    }
    guard isWhole else {
      _ = try torn()
      return false
    }
    let version = buffer.withUnsafeBytes {
      UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
    }
    guard start.elementsEqual(JournalFormat.header(version: version)), version > 0 else {
      throw corrupt("the header is damaged")
    }
    guard version <= JournalFormat.version else {
      throw JournalError(
        .version, source: source, offset: 8,
        cause: "format version \(version) is newer than \(JournalFormat.version), the latest known here",
        step: "read it with the program that wrote it, or update this one")
    }
    self.version = version
    index = JournalFormat.headerLength
    isHeaderRead = true
    return true
  }
}
