import StintUnits

extension JournalReader {
  /// The decoded head of a record, with a valid checksum.
  struct Head {
    let length: Int
    let kind: UInt8
    let instant: Instant
    /// The CRC-32C of the bytes before the checksum of the head.
    private let sum: UInt32

    /// Decodes the head of a record. Nil when there are too few bytes or the checksum does not match.
    @inline(__always)
    init?(_ bytes: UnsafeRawBufferPointer) {
      guard bytes.count >= JournalFormat.headLength else { return nil }
      sum = Checksum.crc32c(UnsafeRawBufferPointer(rebasing: bytes[..<JournalFormat.checkedLength]))
      let last = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
      guard last >> 8 == sum & 0xFF_FFFF else { return nil }
      length = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self)))
      kind = bytes[4]
      instant = Instant(
        nanoseconds: Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: 5, as: Int64.self)))
    }

    /// The length of the complete record in bytes.
    var recordLength: Int { JournalFormat.headLength + length + JournalFormat.tailLength }

    /// Returns true when the complete record is in memory and its checksum matches.
    @inline(__always)
    func isWhole(in bytes: UnsafeRawBufferPointer) -> Bool {
      guard length <= JournalFormat.payloadLimit, bytes.count >= recordLength else { return false }
      let end = JournalFormat.headLength + length
      let rest = UnsafeRawBufferPointer(rebasing: bytes[JournalFormat.checkedLength..<end])
      return Checksum.crc32c(rest, continuing: sum)
        == UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: end, as: UInt32.self))
    }
  }
}

extension JournalWindow {
  /// Returns the payload of the record at the start of the window.
  @inline(__always)
  func payload(of head: JournalReader.Head) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      rebasing: rest[JournalFormat.headLength..<JournalFormat.headLength + head.length])
  }
}

extension JournalReader {
  /// Reads the file header. Returns false when the file ends within the header.
  mutating func readHeader() throws(Problem) -> Bool {
    guard try window.fill(1, from: file) else {
      throw Problem(
        .empty, place: source, cause: "the file is empty", remedy: "replace it with a new journal")
    }
    let isWhole = try window.fill(JournalFormat.headerLength, from: file)
    let start = Array(window.rest.prefix(JournalFormat.headerLength))
    guard start.prefix(8).elementsEqual(JournalFormat.letters.prefix(start.count)) else {
      throw Problem(
        .unexpectedContent, place: Problem.Place(source, byte: 0), cause: "this is not a journal",
        remedy: "a journal begins with the letters STINTJNL")
    }
    guard isWhole else {
      _ = try torn()
      return false
    }
    let version = UInt32(littleEndian: window.rest.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
    guard start.elementsEqual(JournalFormat.header(version: version)), version > 0 else {
      throw corrupt("the header is damaged")
    }
    guard version <= JournalFormat.version else {
      throw Problem(
        .version, place: Problem.Place(source, byte: 8),
        cause: "format version \(version) is newer than \(JournalFormat.version), the latest known here",
        remedy: "read it with the program that wrote it, or update this program")
    }
    self.version = version
    window.skip(JournalFormat.headerLength)
    isHeaderRead = true
    return true
  }
}
