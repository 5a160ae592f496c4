import StintUnits

extension JournalReader {
  /// What stands before a payload, read and checked.
  struct Head {
    let length: Int
    let kind: UInt8
    let instant: Instant
    /// The CRC-32C of what has been checked.
    private let sum: UInt32

    /// Reads the head of a record; nil when there is less, or its check does not fit.
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

    /// The length of the whole record.
    var recordLength: Int { JournalFormat.headLength + length + JournalFormat.tailLength }

    /// Whether all of the record is there, and its checksum fits.
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
  /// The payload of the record at the front.
  @inline(__always)
  func payload(of head: JournalReader.Head) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      rebasing: rest[JournalFormat.headLength..<JournalFormat.headLength + head.length])
  }
}

extension JournalReader {
  /// Reads the start of the file; false when the file ends within it.
  mutating func readHeader() throws(Problem) -> Bool {
    guard try window.fill(1, from: file) else {
      throw Problem(
        .empty, place: source, cause: "there is nothing in it", remedy: "start a new journal in its place")
    }
    let isWhole = try window.fill(JournalFormat.headerLength, from: file)
    let start = Array(window.rest.prefix(JournalFormat.headerLength))
    guard start.prefix(8).elementsEqual(JournalFormat.letters.prefix(start.count)) else {
      throw Problem(
        .foreign, place: Problem.Place(source, byte: 0), cause: "this is no journal",
        remedy: "a journal starts with the letters STINTJNL")
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
        remedy: "read it with the program that wrote it, or update this one")
    }
    self.version = version
    window.skip(JournalFormat.headerLength)
    isHeaderRead = true
    return true
  }
}
