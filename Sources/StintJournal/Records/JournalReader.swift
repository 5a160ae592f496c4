public import StintUnits

/// Reads a journal record by record; memory stays flat, whatever its length.
///
/// Stops at the first record whose checksum does not fit, with an error that names the byte. A tail that
/// was cut while it was written is no error: all whole records come, then `ending` is `.torn`.
public struct JournalReader {
  var file: JournalFile?
  private(set) var source: String
  /// The files that come after this one.
  private var rest: ArraySlice<String> = []
  var window: JournalWindow
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
  public init(path: String) throws(Problem) {
    let paths = JournalSegments.paths(of: path)
    self.init(file: try JournalFile.reading(paths[0]))
    rest = paths.dropFirst()
  }

  /// Reads a journal in memory; `source` names it in errors.
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

  /// How many bytes have been read from the file; its length once the end is reached.
  var bytesRead: Int64 { window.endOffset }

  /// The byte at which the next record begins: everything before it is whole.
  public var offset: Int64 { window.offset }

  /// The next record; nil at the end, and then `ending` tells which.
  public mutating func next() throws(Problem) -> JournalRecord? {
    var record = JournalRecord(kind: 0, instant: .epoch, payload: [])
    return try next(into: &record) ? record : nil
  }

  /// Puts the next record in place of another, whose memory it uses again; false at the end.
  public mutating func next(into record: inout JournalRecord) throws(Problem) -> Bool {
    guard let head = try advance() else { return false }
    record.kind = head.kind
    record.instant = head.instant
    record.payload.removeAll(keepingCapacity: true)
    record.payload.append(contentsOf: window.payload(of: head))
    window.skip(head.recordLength)
    return true
  }

  /// Checks all that is left and tells how the journal ends.
  public mutating func scan() throws(Problem) -> JournalEnding {
    while let head = try advance() { window.skip(head.recordLength) }
    return ending
  }

  /// Checks the next record, which then stands at the front of the window, and has yet to be stepped over.
  @inline(__always)
  private mutating func advance() throws(Problem) -> Head? {
    if isHeaderRead, number != nil, let head = Head(window.rest), head.isWhole(in: window.rest) {
      return head
    }
    return try advanceCarefully()
  }

  /// The same where the window must be filled, a file begins or ends, or something is wrong.
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
      throw corrupt("the checksum of a record does not fit its bytes")
    }
    if number == nil { try take(numberIn: head) }
    return head
  }

  /// Goes over to the next file of the journal; false when there is none.
  private mutating func openNext() throws(Problem) -> Bool {
    guard let path = rest.popFirst() else { return false }
    file = try JournalFile.reading(path)
    source = path
    window.reset()
    isHeaderRead = false
    (numberBefore, number) = (number ?? numberBefore, nil)
    return true
  }

  /// Sees to it that files follow one another without a hole; their first records tell.
  private mutating func take(numberIn head: Head) throws(Problem) {
    var found: Int64 = 0
    if head.kind == JournalSegments.kind, head.length == 8 {
      let bytes = window.payload(of: head)
      found = Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: 0, as: Int64.self))
    }
    if let before = numberBefore, found != before + 1 {
      throw Problem(
        .hole, place: source, cause: "file \(before + 1) of the journal is missing before this one",
        remedy: "put it back beside the others; what came before has been read")
    }
    number = found
  }

  mutating func torn() throws(Problem) -> Head? {
    guard rest.isEmpty else {
      throw corrupt("the file ends in the middle of a record, and the journal goes on in another")
    }
    ending = .torn(atOffset: offset)
    return nil
  }

  func corrupt(_ cause: String) -> Problem {
    Problem(
      .corrupt, place: Problem.Place(source, byte: offset), cause: cause,
      remedy: "the records before it are whole; restore the rest from a copy")
  }

  /// Whether nothing but zeroes follow: what a file system leaves of a write it never finished.
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
