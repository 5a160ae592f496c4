import StintSystem
public import StintUnits

/// Appends records to a journal.
///
/// Records are buffered in memory. The writer writes them to the file when 64 KiB have accumulated, and when
/// `flush()` or `synchronize()` is called. Releasing a writer without a flush loses the buffered records. A
/// journal has only one writer at a time: opening a second one throws.
///
/// When writing fails, the writer buffers up to 1 MiB and retries. Further records are counted and dropped.
/// When writing works again, a gap record with their number is written.
public final class JournalWriter {
  /// The buffer size, in bytes, at which the writer writes to the file.
  private static let flushLimit = 64 << 10
  /// The maximum buffer size, in bytes, while writing fails.
  private static let keepLimit = 1 << 20
  /// The time between two write attempts after a failure, by the instants of the records.
  private static let patience = TimeSpan.seconds(1)

  private var storage: any JournalStorage
  private let limit: JournalLimit?
  private let room: SimulatedDisk?
  private let buffer = JournalBuffer(capacity: flushLimit + 4096)
  /// The length of the file up to its last complete record.
  private var written: Int64
  /// True when incomplete data may follow after `written`. The file must then be truncated before the next
  /// write.
  private var mustCut = false
  /// The earliest instant of the next write attempt after a failure.
  private var retryAt = Instant(nanoseconds: .min)
  /// The index of the current file within the journal, from 0.
  private var number: Int64
  /// The reason why the last write failed; nil when the last write succeeded.
  public private(set) var failure: Problem?
  /// The dropped records that are not yet recorded as a gap; nil without dropped records.
  public private(set) var gap: JournalGap?
  /// The total number of dropped records.
  public private(set) var lostRecords: Int64 = 0
  /// The number of gap records that this writer has written.
  public private(set) var gapsRecorded = 0
  /// The number of bytes of an incomplete last record that were removed when the journal was opened.
  public let droppedBytes: Int64

  /// Creates a new journal.
  ///
  /// With a limit, the owner must check `isFull` and call `startNextFile(at:)`.
  ///
  /// - Parameter room: simulates a full disk in tests; nil in operation.
  /// - Throws: `Problem` when the file exists or archived files of this name exist.
  public convenience init(
    creating path: String, limit: JournalLimit? = nil, room: SimulatedDisk? = nil
  ) throws(Problem) {
    let file = try JournalFile.appending(path, creating: true, room: room)
    try JournalSegments.requireNone(beside: path)
    try self.init(fresh: file, droppedBytes: 0, limit: limit, room: room)
  }

  /// Opens an existing journal to continue it. An empty file becomes a journal.
  ///
  /// An incomplete last record is removed and counted in `droppedBytes`.
  ///
  /// - Throws: `Problem` when a record is damaged or the journal has an older version.
  public convenience init(continuing path: String, limit: JournalLimit? = nil) throws(Problem) {
    let file = try JournalFile.appending(path, creating: false)
    guard try file.length() > 0 else {
      try self.init(fresh: file, droppedBytes: 0, limit: limit)
      return
    }
    var reader = JournalReader(file: file)
    let ending = try reader.scan()
    guard reader.version == JournalFormat.version || reader.version == 0 else {
      throw Problem(
        .version, place: Problem.Place(path, byte: 8),
        cause: "it has format version \(reader.version), which can be read but not continued",
        remedy: "start a new journal")
    }
    let next = JournalSegments.archived(of: path).last.map { $0.number + 1 } ?? 0
    guard case .torn(let offset) = ending else {
      self.init(storage: file, written: reader.bytesRead, droppedBytes: 0, limit: limit, number: next)
      return
    }
    try file.cut(to: offset)
    let dropped = reader.bytesRead - offset
    if offset == 0 {
      try self.init(fresh: file, droppedBytes: dropped, limit: limit)
    } else {
      self.init(storage: file, written: offset, droppedBytes: dropped, limit: limit, number: next)
    }
  }

  /// Creates a journal in an empty file.
  convenience init(
    fresh storage: any JournalStorage, droppedBytes: Int64, limit: JournalLimit? = nil,
    room: SimulatedDisk? = nil
  ) throws(Problem) {
    self.init(storage: storage, written: 0, droppedBytes: droppedBytes, limit: limit, number: 0, room: room)
    buffer.append(JournalFormat.header)
    try flush()
  }

  private init(
    storage: any JournalStorage, written: Int64, droppedBytes: Int64, limit: JournalLimit?, number: Int64,
    room: SimulatedDisk? = nil
  ) {
    self.room = room
    self.storage = storage
    self.written = written
    self.droppedBytes = droppedBytes
    self.limit = limit
    self.number = number
  }

  /// The path of the current file.
  public var path: String { storage.path }

  /// The length of the file including buffered records, in bytes. The next record begins there.
  public var offset: Int64 { written + Int64(buffer.count) }

  // MARK: Writing

  /// Appends a record.
  ///
  /// - Throws: `Problem` once when writing begins to fail. Later records are buffered, then dropped and
  ///   counted.
  /// - Precondition: the payload is at most `JournalFormat.payloadLimit` bytes.
  public func append(kind: UInt8, at instant: Instant, _ payload: UnsafeRawBufferPointer) throws(Problem) {
    precondition(payload.count <= JournalFormat.payloadLimit, "a journal payload exceeds 16 MiB")
    if failure != nil, !resume(at: instant) {
      if gap != nil || buffer.count + payload.count > Self.keepLimit {
        lostRecords += 1
        gap = gap?.with(instant) ?? JournalGap(records: 1, first: instant, last: instant)
        return
      }
    }
    buffer.append(kind: kind, instant: instant.nanoseconds, payload)
    if buffer.count >= Self.flushLimit, failure == nil {
      retryAt = instant + Self.patience
      try flush()
    }
  }

  /// Appends a record, as `append(kind:at:_:)` with raw bytes.
  public func append(kind: UInt8, at instant: Instant, _ payload: [UInt8]) throws(Problem) {
    var problem: Problem?
    payload.withUnsafeBytes { bytes in
      do throws(Problem) { try append(kind: kind, at: instant, bytes) } catch { problem = error }
    }
    if let problem { throw problem }
  }

  /// Appends a record, as `append(kind:at:_:)` with raw bytes.
  public func append(_ record: JournalRecord) throws(Problem) {
    try append(kind: record.kind, at: record.instant, record.payload)
  }

  /// Writes all buffered records to the operating system, so that the records survive the end of this
  /// process.
  ///
  /// When writing fails, the file is truncated to its last complete record and the records stay in the
  /// buffer.
  public func flush() throws(Problem) {
    guard buffer.count > 0 || gap != nil else { return }
    do throws(Problem) {
      try writeOut()
    } catch {
      failure = error
      throw error
    }
  }

  /// Writes all records to the disk, so that the records survive a power failure. Blocks the calling thread.
  public func synchronize() throws(Problem) {
    try flush()
    try storage.synchronize()
  }

  /// Writes all records to the operating system and returns a function that writes them to the disk.
  ///
  /// - Returns: a function to be called once, from any thread. Nil when all records are already on the disk.
  public func synchronization() throws(Problem) -> (@Sendable () throws(Problem) -> Void)? {
    try flush()
    if let work = storage.synchronization() { return work }
    try storage.synchronize()
    return nil
  }

  /// Retries writing after a failure, at most once per `patience`. Returns true when the retry succeeds.
  private func resume(at instant: Instant) -> Bool {
    guard instant >= retryAt else { return false }
    retryAt = instant + Self.patience
    do throws(Problem) {
      try writeOut()
      return true
    } catch {
      failure = error
      return false
    }
  }

  /// Writes the buffered records, and a gap record when records were dropped.
  private func writeOut() throws(Problem) {
    let (count, records) = (buffer.count, buffer.records)
    if let gap {
      gap.payload.withUnsafeBytes {
        buffer.append(kind: JournalGap.kind, instant: gap.last.nanoseconds, $0)
      }
    }
    do throws(Problem) {
      if mustCut { try storage.cut(to: written) }
      mustCut = true
      try storage.append(buffer.bytes, at: written)
    } catch {
      // Throw the first error. If truncating fails now, the next attempt truncates the file first.
      do throws(Problem) {
        try storage.cut(to: written)
        mustCut = false
      } catch _ {}
      buffer.truncate(to: count, records: records)
      throw error
    }
    mustCut = false
    written += Int64(buffer.count)
    buffer.removeAll()
    failure = nil
    if gap != nil {
      gap = nil
      gapsRecorded += 1
    }
  }

  // MARK: Files

  /// True when the current file is large enough to begin the next one. Always false without a limit.
  public var isFull: Bool { limit.map { offset >= $0.fileBytes * 7 / 8 } ?? false }

  /// Archives the current file, begins the next file and removes old files that exceed the limit.
  ///
  /// A reader may not have the earlier files. So the owner must then repeat the records that a reader needs
  /// at the start. When this call throws, the journal continues in the current file.
  public func startNextFile(at instant: Instant) throws(Problem) {
    try flush()
    try startNextFile(successor()(), at: instant)
  }

  /// Returns a function that makes the next file, as `startNextFile(at:)` does. The function may be called
  /// once, from any thread; then call `startNextFile(_:at:)`. Until that call, records go to the former file.
  public func successor() -> @Sendable () throws(Problem) -> JournalSuccessor {
    { [path, number, limit, room] () throws(Problem) in
      try JournalSuccessor(archiving: path, as: number, limit: limit, room: room)
    }
  }

  /// Writes the buffered records to the former file and continues in its successor. `failure` tells whether
  /// the successor can be written.
  ///
  /// - Throws: `Problem` when the former file cannot be written; call this function again later.
  public func startNextFile(_ successor: JournalSuccessor, at instant: Instant) throws(Problem) {
    try flush()
    enter(successor, at: instant)
  }

  /// True while `path` refers to the current file. When another process removes or renames the file, readers
  /// do not find the records that are written afterwards.
  public var isInPlace: Bool { storage.isInPlace }

  /// A function with the value of `isInPlace`, to be called from any thread.
  public var placeTest: @Sendable () -> Bool { storage.placeTest }

  /// Creates a new file with the same path after the current file was removed or renamed.
  ///
  /// The owner must then repeat the records that a reader needs at the start. When this call throws, the
  /// journal continues in the current file.
  public func startOver(at instant: Instant) throws(Problem) { startOver(try replacement()(), at: instant) }

  /// Returns a function that makes a new file, as `startOver(at:)` does. The function may be called once,
  /// from any thread; then call `startOver(_:at:)`.
  public func replacement() -> @Sendable () throws(Problem) -> JournalSuccessor {
    { [path, room] () throws(Problem) in try JournalSuccessor(replacing: path, room: room) }
  }

  /// Continues in the new file at the path of a removed file. `failure` tells whether it can be written.
  public func startOver(_ successor: JournalSuccessor, at instant: Instant) {
    do throws(Problem) { try flush() } catch _ {}
    mustCut = false
    buffer.removeAll()
    enter(successor, at: instant)
  }

  private func enter(_ successor: JournalSuccessor, at instant: Instant) {
    storage = successor.file
    number += 1
    written = 0
    buffer.append(JournalFormat.header)
    withUnsafeBytes(of: number.littleEndian) {
      buffer.append(kind: JournalSegments.kind, instant: instant.nanoseconds, $0)
    }
    // A failure is kept in `failure`, and the records stay in the buffer.
    do throws(Problem) { try flush() } catch _ {}
  }
}
