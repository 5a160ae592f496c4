public import StintUnits

/// Appends records to a journal.
///
/// Records gather in memory and go to the file when 64 KiB have come together, at `flush()`, or at
/// `synchronize()`; whoever drops a writer without a flush loses what it still holds. One writer at a time:
/// a second is refused.
public final class JournalWriter {
  private static let bufferLimit = 64 << 10

  private let file: JournalFile
  private var buffer: [UInt8] = []
  private var isBroken = false
  /// The length of the file as far as it is known to be whole.
  private var written: Int64
  /// How many bytes of a torn tail were cut off when the journal was opened.
  public let droppedBytes: Int64

  /// Starts a new journal; refused where a file stands already.
  public convenience init(creating path: String) throws(JournalError) {
    try self.init(fresh: JournalFile.appending(path, creating: true), droppedBytes: 0)
  }

  /// Goes on with a journal; a torn tail is cut off and counted, a corrupt record is refused.
  public convenience init(continuing path: String) throws(JournalError) {
    let file = try JournalFile.appending(path, creating: false)
    var reader = JournalReader(file: file)
    switch try reader.scan() {
    case .torn(let offset):
      try file.cut(to: offset)
      let dropped = reader.bytesRead - offset
      if offset == 0 {
        try self.init(fresh: file, droppedBytes: dropped)
      } else {
        self.init(file: file, written: offset, droppedBytes: dropped)
      }
    case .whole, .unread: self.init(file: file, written: reader.bytesRead, droppedBytes: 0)
    }
  }

  /// Starts a journal in an empty file.
  convenience init(fresh file: JournalFile, droppedBytes: Int64) throws(JournalError) {
    self.init(file: file, written: 0, droppedBytes: droppedBytes)
    buffer += JournalFormat.header
    try flush()
  }

  private init(file: JournalFile, written: Int64, droppedBytes: Int64) {
    self.file = file
    self.written = written
    self.droppedBytes = droppedBytes
    buffer.reserveCapacity(Self.bufferLimit + 4096)
  }

  /// The length of the journal with what is still in memory: where the next record will begin.
  public var offset: Int64 { written + Int64(buffer.count) }

  /// Appends a record.
  ///
  /// - Precondition: the payload is at most `JournalFormat.payloadLimit` bytes.
  public func append(kind: UInt8, at instant: Instant, _ payload: [UInt8]) throws(JournalError) {
    precondition(payload.count <= JournalFormat.payloadLimit, "a journal payload is at most 16 MiB")
    if isBroken {
      throw JournalError(
        .closed, source: file.path, offset: written, cause: "an earlier write failed",
        step: "open the journal again")
    }
    JournalFormat.appendHead(length: payload.count, kind: kind, instant: instant.nanoseconds, to: &buffer)
    buffer += payload
    let start = buffer.count - payload.count - JournalFormat.headLength
    let sum = buffer.withUnsafeBytes { Checksum.crc32c(UnsafeRawBufferPointer(rebasing: $0[start...])) }
    JournalFormat.append(sum, to: &buffer)
    if buffer.count >= Self.bufferLimit { try flush() }
  }

  /// Appends a record.
  public func append(_ record: JournalRecord) throws(JournalError) {
    try append(kind: record.kind, at: record.instant, record.payload)
  }

  /// Hands everything to the system; it survives the end of this process.
  ///
  /// When that fails, the file is cut back to its last whole record and the writer takes nothing more.
  public func flush() throws(JournalError) {
    guard !buffer.isEmpty, !isBroken else { return }
    do {
      try file.append(buffer, at: written)
    } catch {
      isBroken = true
      buffer.removeAll()
      // The first failure is the one to report; a tail that cannot be cut is recovered at the next opening.
      do { try file.cut(to: written) } catch _ {}
      throw error
    }
    written += Int64(buffer.count)
    buffer.removeAll(keepingCapacity: true)
  }

  /// Brings everything to the disk; it survives the loss of power.
  public func synchronize() throws(JournalError) {
    try flush()
    try file.synchronize()
  }
}
