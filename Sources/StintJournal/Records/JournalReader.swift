public import StintUnits

/// Reads a journal record by record, with constant memory.
///
/// Throws at the first record whose checksum does not match; the error contains the byte offset. An
/// incomplete last record is not an error: the reader returns all complete records, and then `ending` is
/// `.torn`.
public struct JournalReader {
  var file: JournalFile?
  private(set) var source: String
  /// The files to read after the current file.
  private var laterFiles: ArraySlice<String> = []
  var window: JournalWindow
  var isHeaderRead = false
  /// The format version of the current file; 0 before its header is read.
  public internal(set) var version: UInt32 = 0
  /// The index of the current file within the journal; nil before its first record is read.
  private var number: Int64?
  /// The index of the previous file; nil in the first file.
  private var numberBefore: Int64?
  /// The state of the journal's end; `.unread` until `next` returns nil.
  public internal(set) var ending = JournalEnding.unread

  /// Opens a journal with all its existing files, the oldest first.
  public init(path: String) throws(Problem) {
    let paths = JournalSegments.paths(of: path)
    self.init(file: try JournalFile.reading(paths[0]))
    laterFiles = paths.dropFirst()
  }

  /// Reads a journal from memory. Errors contain `source` as the path of the journal.
  public init(bytes: [UInt8], source: String) {
    file = nil
    self.source = source
    window = JournalWindow(bytes)
  }

  init(file: JournalFile) {
    self.file = file
    source = file.path
    window = JournalWindow()
  }

  /// The number of bytes that were read from the current file. At the end of the file, this number is the
  /// size of the file.
  var bytesRead: Int64 { window.endOffset }

  /// The byte offset of the next record in the current file. All records before this offset are complete.
  public var offset: Int64 { window.offset }

  /// Returns the next record. Returns nil at the end and sets `ending`.
  ///
  /// - Throws: `Problem` when the journal is damaged, or when a file is missing or cannot be read.
  public mutating func next() throws(Problem) -> JournalRecord? {
    var record = JournalRecord(kind: 0, instant: .epoch, payload: [])
    return try next(into: &record) ? record : nil
  }

  /// Reads the next record into an existing value and reuses its memory. Returns false at the end.
  public mutating func next(into record: inout JournalRecord) throws(Problem) -> Bool {
    guard let head = try advance() else { return false }
    record.kind = head.kind
    record.instant = head.instant
    record.payload.removeAll(keepingCapacity: true)
    record.payload.append(contentsOf: window.payload(of: head))
    window.skip(head.recordLength)
    return true
  }

  /// Checks all remaining records and returns the state of the end.
  public mutating func scan() throws(Problem) -> JournalEnding {
    while let head = try advance() { window.skip(head.recordLength) }
    return ending
  }

  /// Checks the next record and returns its head; nil at the end. The record then begins at the start of the
  /// window; the caller skips the record.
  @inline(__always)
  private mutating func advance() throws(Problem) -> Head? {
    if isHeaderRead, number != nil, let head = Head(window.rest), head.isWhole(in: window.rest) {
      return head
    }
    return try advanceCarefully()
  }

  /// The slow path of `advance`: fills the window, handles starts and ends of files, and reports errors.
  private mutating func advanceCarefully() throws(Problem) -> Head? {
    guard ending == .unread else { return nil }
    if !isHeaderRead, try !readHeader() { return nil }
    guard try window.fill(1, from: file) else {
      if try openNext() { return try advanceCarefully() }
      ending = .whole
      return nil
    }
    guard try window.fill(JournalFormat.headLength, from: file) else { return try torn() }
    guard let head = Head(window.rest), head.length <= JournalFormat.payloadLimit else {
      if try isBlank() { return try torn() }
      throw corrupt("the head of a record is damaged")
    }
    guard try window.fill(head.recordLength, from: file) else { return try torn() }
    guard head.isWhole(in: window.rest) else {
      throw corrupt("the checksum of a record does not match")
    }
    if number == nil { try take(numberIn: head) }
    return head
  }

  /// Opens the next file of the journal. Returns false when there is no further file.
  private mutating func openNext() throws(Problem) -> Bool {
    guard let path = laterFiles.popFirst() else { return false }
    file = try JournalFile.reading(path)
    source = path
    window.reset()
    isHeaderRead = false
    (numberBefore, number) = (number ?? numberBefore, nil)
    return true
  }

  /// Checks the file index in the first record, so that a missing file is detected.
  private mutating func take(numberIn head: Head) throws(Problem) {
    var found: Int64 = 0
    if head.kind == JournalSegments.kind, head.length == 8 {
      let bytes = window.payload(of: head)
      found = Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: 0, as: Int64.self))
    }
    if let before = numberBefore, found != before + 1 {
      throw Problem(
        .missingPart, place: source, cause: "file \(before + 1) of the journal is missing before this one",
        remedy: "restore the missing file; the files before it were read")
    }
    number = found
  }

  mutating func torn() throws(Problem) -> Head? {
    guard laterFiles.isEmpty else {
      throw corrupt("the file ends within a record, but the journal has later files")
    }
    ending = .torn(atOffset: offset)
    return nil
  }

  func corrupt(_ cause: String) -> Problem {
    Problem(
      .corrupt, place: Problem.Place(source, byte: offset), cause: cause,
      remedy: "the records before it are complete; restore the rest from a copy")
  }

  /// Returns true when only zero bytes follow, at most 16 MiB. Some file systems leave such bytes after an
  /// unfinished write.
  private mutating func isBlank() throws(Problem) -> Bool {
    var length = 0
    while try window.fill(length + 1, from: file) {
      guard window.rest[length...].allSatisfy({ $0 == 0 }) else { return false }
      length = window.count
      if length > JournalFormat.payloadLimit { return false }
    }
    return true
  }
}
