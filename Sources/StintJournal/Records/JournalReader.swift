import StintUnits

/// Reads a journal record by record; memory stays flat, whatever its length.
///
/// Stops at the first record whose checksum does not fit, with an error that names the byte. A tail that
/// was cut while it was written is no error: all whole records come, then `ending` is `.torn`.
public struct JournalReader {
  private var file: JournalFile?
  private(set) var source: String
  /// The files that come after this one.
  private var rest: ArraySlice<String> = []
  var buffer: [UInt8]
  /// Where the next record begins in the buffer.
  var index = 0
  /// The offset in the file of the first byte of the buffer.
  private var base: Int64 = 0
  var isHeaderRead = false
  /// The format version of the file being read; 0 before its header is.
  public internal(set) var version: UInt32 = 0
  /// The number of the file being read, among those of the journal; nil before its first record is.
  private var number: Int64?
  /// The number of the file read before; nil in the first.
  private var numberBefore: Int64?
  /// How the journal ends; `.unread` until `next` has returned nil.
  public internal(set) var ending = JournalEnding.unread

  /// Opens a journal: all of its files that are still there, the oldest first.
  public init(path: String) throws(JournalError) {
    let paths = JournalSegments.paths(of: path)
    self.init(file: try JournalFile.reading(paths[0]))
    rest = paths.dropFirst()
  }

  /// Reads a journal in memory; `source` names it in errors.
  public init(bytes: [UInt8], source: String) {
    file = nil
    self.source = source
    buffer = bytes
  }

  init(file: JournalFile) {
    self.file = file
    source = file.path
    buffer = []
  }

  /// How many bytes have been read from the file; its length once the end is reached.
  var bytesRead: Int64 { base + Int64(buffer.count) }

  /// The byte at which the next record begins: everything before it is whole.
  public var offset: Int64 { base + Int64(index) }

  /// The next record; nil at the end, and then `ending` tells which.
  public mutating func next() throws(JournalError) -> JournalRecord? {
    var record = JournalRecord(kind: 0, instant: .epoch, payload: [])
    return try next(into: &record) ? record : nil
  }

  /// Puts the next record in place of another, whose memory it uses again; false at the end.
  public mutating func next(into record: inout JournalRecord) throws(JournalError) -> Bool {
    guard let head = try advance() else { return false }
    let start = index - JournalFormat.tailLength - head.length
    record.kind = head.kind
    record.instant = head.instant
    record.payload.removeAll(keepingCapacity: true)
    record.payload.append(contentsOf: buffer[start..<start + head.length])
    return true
  }

  /// Checks all that is left and tells how the journal ends.
  public mutating func scan() throws(JournalError) -> JournalEnding {
    while try advance() != nil {}
    return ending
  }

  /// Checks the next record and steps over it.
  private mutating func advance() throws(JournalError) -> Head? {
    guard ending == .unread else { return nil }
    if !isHeaderRead, try !readHeader() { return nil }
    guard try fill(1) else {
      if try openNext() { return try advance() }
      ending = .whole
      return nil
    }
    guard try fill(JournalFormat.headLength) else { return try torn() }
    let head = buffer.withUnsafeBytes { Head($0, at: index) }
    guard let head, head.length <= JournalFormat.payloadLimit else {
      if try isBlank() { return try torn() }
      throw corrupt("the head of a record is damaged")
    }
    let length = JournalFormat.headLength + head.length
    guard try fill(length + JournalFormat.tailLength) else { return try torn() }
    let fits = buffer.withUnsafeBytes { bytes in
      let sum = Checksum.crc32c(UnsafeRawBufferPointer(rebasing: bytes[index..<index + length]))
      return sum == UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: index + length, as: UInt32.self))
    }
    guard fits else { throw corrupt("the checksum of a record does not fit its bytes") }
    index += length + JournalFormat.tailLength
    if number == nil { try take(numberIn: head) }
    return head
  }

  /// Goes over to the next file of the journal; false when there is none.
  private mutating func openNext() throws(JournalError) -> Bool {
    guard let path = rest.popFirst() else { return false }
    file = try JournalFile.reading(path)
    source = path
    buffer.removeAll(keepingCapacity: true)
    (base, index, isHeaderRead) = (0, 0, false)
    (numberBefore, number) = (number ?? numberBefore, nil)
    return true
  }

  /// Sees to it that files follow one another without a hole; their first records tell.
  private mutating func take(numberIn head: Head) throws(JournalError) {
    var found: Int64 = 0
    if head.kind == JournalSegments.kind, head.length == 8 {
      let start = index - JournalFormat.tailLength - head.length
      found = buffer.withUnsafeBytes {
        Int64(littleEndian: $0.loadUnaligned(fromByteOffset: start, as: Int64.self))
      }
    }
    if let before = numberBefore, found != before + 1 {
      throw JournalError(
        .hole, source: source, cause: "file \(before + 1) of the journal is missing before this one",
        step: "put it back beside the others; what came before has been read")
    }
    number = found
  }

  mutating func torn() throws(JournalError) -> Head? {
    guard rest.isEmpty else {
      throw corrupt("the file ends in the middle of a record, and the journal goes on in another")
    }
    ending = .torn(atOffset: offset)
    return nil
  }

  func corrupt(_ cause: String) -> JournalError {
    JournalError(
      .corrupt, source: source, offset: offset, cause: cause,
      step: "the records before it are whole; restore the rest from a copy")
  }

  /// Makes sure that this many bytes follow `index` in the buffer; false when the file ends before.
  mutating func fill(_ count: Int) throws(JournalError) -> Bool {
    if buffer.count - index >= count { return true }
    guard let file else { return false }
    if index > 0 {
      base += Int64(index)
      buffer.removeSubrange(..<index)
      index = 0
    }
    while buffer.count < count {
      let old = buffer.count
      let room = max(64 << 10, count - old)
      buffer.append(contentsOf: repeatElement(0, count: room))
      var failure: JournalError?
      let got = buffer.withUnsafeMutableBytes { bytes in
        do throws(JournalError) {
          return try file.read(
            into: UnsafeMutableRawBufferPointer(rebasing: bytes[old...]), at: base + Int64(old))
        } catch {
          failure = error
          return 0
        }
      }
      buffer.removeSubrange((old + got)...)
      if let failure { throw failure }
      if got == 0 { return false }
    }
    return true
  }

  /// Whether nothing but zeroes follow: what a file system leaves of a write it never finished.
  private mutating func isBlank() throws(JournalError) -> Bool {
    var length = 0
    while try fill(length + 1) {
      let rest = buffer[(index + length)...]
      guard rest.allSatisfy({ $0 == 0 }) else { return false }
      length += rest.count
      if length > JournalFormat.payloadLimit { return false }
    }
    return true
  }
}
