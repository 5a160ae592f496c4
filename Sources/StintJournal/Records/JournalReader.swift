import StintUnits

/// Reads a journal record by record; memory stays flat, whatever its length.
///
/// Stops at the first record whose checksum does not fit, with an error that names the byte. A tail that
/// was cut while it was written is no error: all whole records come, then `ending` is `.torn`.
public struct JournalReader {
  private let file: JournalFile?
  let source: String
  var buffer: [UInt8]
  /// Where the next record begins in the buffer.
  var index = 0
  /// The offset in the file of the first byte of the buffer.
  private var base: Int64 = 0
  var isHeaderRead = false
  /// How the journal ends; `.unread` until `next` has returned nil.
  public internal(set) var ending = JournalEnding.unread

  /// Opens a journal.
  public init(path: String) throws(JournalError) { self.init(file: try JournalFile.reading(path)) }

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
    guard let head = try advance() else { return nil }
    let start = index - JournalFormat.tailLength - head.length
    return JournalRecord(
      kind: head.kind, instant: head.instant, payload: Array(buffer[start..<start + head.length]))
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
      ending = .whole
      return nil
    }
    guard try fill(JournalFormat.headLength) else { return torn() }
    let head = buffer.withUnsafeBytes { Head($0, at: index) }
    guard let head, head.length <= JournalFormat.payloadLimit else {
      if try isBlank() { return torn() }
      throw corrupt("the head of a record is damaged")
    }
    let length = JournalFormat.headLength + head.length
    guard try fill(length + JournalFormat.tailLength) else { return torn() }
    let fits = buffer.withUnsafeBytes { bytes in
      let sum = Checksum.crc32c(UnsafeRawBufferPointer(rebasing: bytes[index..<index + length]))
      return sum == UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: index + length, as: UInt32.self))
    }
    guard fits else { throw corrupt("the checksum of a record does not fit its bytes") }
    index += length + JournalFormat.tailLength
    return head
  }

  mutating func torn() -> Head? {
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
