import StintSystem
public import StintUnits

/// Appends records to a journal.
///
/// Records are buffered in memory. The writer writes them to the file when 64 KiB have accumulated, and when
/// `flush()` or `synchronize()` is called. Releasing a writer without a flush loses the buffered records. A
/// journal has only one writer at a time: opening a second writer throws.
///
/// When writing fails, the writer buffers up to 1 MiB and retries with growing pauses. Further records are
/// counted and dropped. When writing works again, a gap record with their number is written.
///
/// A daemon sets `isDeferred` and writes by `beginWrite(at:)` and `endWrite(_:)`, so that no call blocks on
/// the file.
public final class JournalWriter {
  /// The buffer size, in bytes, at which the writer writes to the file.
  private static let flushLimit = 64 << 10
  /// The maximum buffer size, in bytes, while writing fails.
  private static let keepLimit = 1 << 20
  /// The buffer size, in bytes, above which a deferred writer drops records. The records of the largest
  /// policies fit into this size.
  private static let deferredLimit = 8 << 20
  /// The time between two write attempts after a failure, measured with the instants of the records. This
  /// time grows, because each attempt writes up to 1 MiB. With a constant time of 1 s, a simulated day would
  /// contain up to 86,400 attempts.
  private static let retryPause = DoublingPause(.seconds(1), upTo: .seconds(30))

  private var storage: any JournalStorage
  /// The limit, and the decision when the next file begins.
  public var rotation: JournalRotation
  private let room: DiskFullSwitch?
  private let buffer = JournalBuffer(capacity: flushLimit + 4096)
  /// The length of the file up to its last complete record.
  private var written: Int64
  /// True when incomplete data may follow after `written`. The file must then be truncated before the next
  /// write.
  private var mustCut = false
  /// The write that is in progress on another thread; nil without a write.
  private var current: JournalWrite?
  /// The write of the last bytes to the former file, until it succeeds; nil without such a write.
  private var former: JournalWrite?
  /// True when records are written only by `beginWrite(at:)` and `endWrite(_:)`. Then `append`,
  /// `startNextFile(_:at:)` and `startOver(_:at:)` never access a file.
  public var isDeferred = false
  /// The number of failed writes since the last successful write.
  private var failures = 0
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
  /// If `limit` is not nil, the owner must check `isFull` and call `startNextFile(at:)`.
  ///
  /// - Parameters:
  ///   - keepsFailure: true for a journal that begins even when the first write fails, as on a full disk.
  ///     `failure` contains the reason, and the writer retries.
  ///   - room: simulates a full disk in tests; nil in operation.
  /// - Throws: `Problem` when the file cannot be created, when archived files of this name exist, or when the
  ///   first write fails and `keepsFailure` is false.
  public convenience init(
    creating path: String, limit: JournalLimit? = nil, keepsFailure: Bool = false, room: DiskFullSwitch? = nil
  ) throws(Problem) {
    let file = try JournalFile.appending(path, creating: true, room: room)
    try JournalSegments.requireNone(beside: path)
    self.init(storage: file, written: 0, droppedBytes: 0, limit: limit, number: 0, room: room)
    buffer.append(JournalFormat.header)
    do throws(Problem) { try flush() } catch { if !keepsFailure { throw error } }
  }

  /// Opens an existing journal to continue it. An empty file becomes a journal.
  ///
  /// An incomplete last record is removed and counted in `droppedBytes`.
  ///
  /// - Throws: `Problem` when the file cannot be opened, when a record is damaged, when the journal has a
  ///   version that cannot be continued, or when another process writes the journal.
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
    try file.truncate(to: offset)
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
    room: DiskFullSwitch? = nil
  ) throws(Problem) {
    self.init(storage: storage, written: 0, droppedBytes: droppedBytes, limit: limit, number: 0, room: room)
    buffer.append(JournalFormat.header)
    try flush()
  }

  private init(
    storage: any JournalStorage, written: Int64, droppedBytes: Int64, limit: JournalLimit?, number: Int64,
    room: DiskFullSwitch? = nil
  ) {
    self.room = room
    self.storage = storage
    self.written = written
    self.droppedBytes = droppedBytes
    rotation = JournalRotation(limit)
    self.number = number
  }

  /// The path of the current file.
  public var path: String { storage.path }

  /// The length of the file including buffered records, in bytes. The next record begins there.
  public var offset: Int64 {
    written + Int64(buffer.count) + (former == nil ? Int64(current?.bytes.count ?? 0) : 0)
  }

  /// True from `beginWrite(at:)` to `endWrite(_:)`.
  public var isWriting: Bool { current != nil }

  // MARK: Writing

  /// Appends a record.
  ///
  /// - Throws: `Problem` once when writing begins to fail. Later records are buffered, then dropped and
  ///   counted.
  /// - Precondition: the payload is at most `JournalFormat.payloadLimit` bytes.
  public func append(kind: UInt8, at instant: Instant, _ payload: UnsafeRawBufferPointer) throws(Problem) {
    precondition(payload.count <= JournalFormat.payloadLimit, "a journal payload exceeds 16 MiB")
    if failure != nil, isDeferred || !resume(at: instant) {
      if gap != nil || buffer.count + payload.count > Self.keepLimit { return drop(1, at: instant) }
    } else if gap != nil || buffer.count > Self.deferredLimit {
      return drop(1, at: instant)
    }
    buffer.append(kind: kind, instant: instant.nanoseconds, payload)
    if buffer.count >= Self.flushLimit, failure == nil, !isDeferred {
      delayRetry(from: instant)
      try flush()
    }
  }

  /// Sets the instant of the next attempt, for the case that the attempt at `instant` fails.
  private func delayRetry(from instant: Instant) {
    retryAt = instant + Self.retryPause.doubled(failures)
  }

  /// Counts records as lost.
  private func drop(_ records: Int64, at instant: Instant) {
    guard records > 0 else { return }
    lostRecords += records
    gap = gap?.with(instant, records: records) ?? JournalGap(records: records, first: instant, last: instant)
  }

  /// Appends a record in the same way as `append(kind:at:_:)` with raw bytes.
  public func append(kind: UInt8, at instant: Instant, _ payload: [UInt8]) throws(Problem) {
    var problem: Problem?
    payload.withUnsafeBytes { bytes in
      do throws(Problem) { try append(kind: kind, at: instant, bytes) } catch { problem = error }
    }
    if let problem { throw problem }
  }

  /// Appends a record in the same way as `append(kind:at:_:)` with raw bytes.
  public func append(_ record: JournalRecord) throws(Problem) {
    try append(kind: record.kind, at: record.instant, record.payload)
  }

  /// Writes all buffered records to the operating system, so that the records survive the end of this
  /// process.
  ///
  /// When writing fails, throws the problem. The file is then truncated to its last complete record, and the
  /// records stay in the buffer.
  public func flush() throws(Problem) {
    while let write = nextWrite() { try endWrite(write.perform()) }
  }

  /// Removes the records of the next write from the buffer. Perform the write on any thread, then call
  /// `endWrite(_:)`.
  ///
  /// - Returns: nil in these cases: nothing is to be written; a write is in progress; the pause after a
  ///   failed attempt has not ended. The pause is 1 s, and doubles with each failure up to 30 s.
  public func beginWrite(at instant: Instant) -> JournalWrite? {
    guard current == nil, failure == nil || instant >= retryAt else { return nil }
    delayRetry(from: instant)
    return nextWrite()
  }

  /// Ends the write that `beginWrite(at:)` returned last.
  ///
  /// - Throws: the problem of the write. The records of the write are kept for the next attempt.
  public func endWrite(_ result: JournalWrite.Result) throws(Problem) {
    guard let write = current.take() else { return }
    failure = result.problem
    failures = failure == nil ? 0 : failures + 1
    if let problem = result.problem {
      if former == nil { putBack(write, result) } else { former?.mustCut = result.mustCut }
      throw problem
    }
    if write.gap != nil { gapsRecorded += 1 }
    guard former == nil else {
      former = nil
      return
    }
    mustCut = false
    written += Int64(write.bytes.count)
  }

  /// Returns the next write and makes it the current write; nil when nothing is to be written.
  private func nextWrite() -> JournalWrite? {
    current = former ?? takeBuffer()
    return current
  }

  /// Removes all records and the gap from the buffer, and returns them as a write. Nil without records and
  /// gap.
  private func takeBuffer() -> JournalWrite? {
    guard buffer.count > 0 || gap != nil else { return nil }
    let (kept, records) = (buffer.count, buffer.records)
    if let gap {
      gap.payload.withUnsafeBytes {
        buffer.append(kind: JournalGap.kind, instant: gap.last.nanoseconds, $0)
      }
    }
    defer {
      buffer.removeAll()
      gap = nil
    }
    return JournalWrite(
      storage: storage, offset: written, mustCut: mustCut, bytes: Array(buffer.bytes), records: records,
      kept: kept, gap: gap)
  }

  /// Puts the records of a failed write before the records that were appended meanwhile.
  private func putBack(_ write: JournalWrite, _ result: JournalWrite.Result) {
    mustCut = result.mustCut
    let later = buffer.records
    if let gap = write.gap {
      // Records that were appended after a gap must not precede the gap record in the file. So these records
      // are lost too.
      let last = self.gap?.last ?? gap.last
      self.gap = gap.with(last, records: (self.gap?.records ?? 0) + later)
      lostRecords += later
      buffer.removeAll()
    }
    buffer.prepend(write.bytes.prefix(write.kept), records: write.records)
  }

  /// Writes all records to the disk, so that the records survive a power failure. Blocks the calling thread.
  ///
  /// - Throws: `Problem` when the records cannot be written to the file or to the disk.
  public func synchronize() throws(Problem) {
    try flush()
    try storage.synchronize()
  }

  /// Writes all records to the operating system and returns a function that writes them to the disk. A
  /// deferred writer writes nothing here; the function covers only records whose writes have ended.
  ///
  /// - Returns: a function to be called once, from any thread. Nil when all records are already on the disk.
  public func synchronization() throws(Problem) -> (@Sendable () throws(Problem) -> Void)? {
    if !isDeferred { try flush() }
    if let work = storage.synchronization() { return work }
    try storage.synchronize()
    return nil
  }

  /// Removes all records from the writer. Returns a function that writes them to the disk, to be called once,
  /// from any thread. While a write is in progress, removes nothing and returns nil.
  public func lastWrites() -> (@Sendable () throws(Problem) -> Void)? {
    guard current == nil else { return nil }
    let writes = [former.take(), takeBuffer()].compactMap(\.self)
    return { [storage] () throws(Problem) in
      for write in writes { if let problem = write.perform().problem { throw problem } }
      try storage.synchronize()
    }
  }

  /// Retries writing after a failure, at most once per `retryPause`. Returns true when the retry succeeds.
  private func resume(at instant: Instant) -> Bool {
    guard instant >= retryAt else { return false }
    delayRetry(from: instant)
    do throws(Problem) {
      try flush()
      return true
    } catch _ {
      return false
    }
  }

  // MARK: Files

  /// True when the current file is so large that the next file must begin. Always false without a limit.
  public var isFull: Bool { former == nil && rotation.isDue(at: offset) }

  /// Records the length of the file. The owner calls this function after it has repeated the records that a
  /// reader needs at the start of a file.
  public func endRepetition() { rotation.repeated = offset }

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
    { [path, number, room, kept = rotation.archiveBytes(pending: offset - written)] () throws(Problem) in
      try JournalSuccessor(archiving: path, as: number, keeping: kept, room: room)
    }
  }

  /// Writes the buffered records to the former file and continues in its successor. `failure` has the reason
  /// when the successor cannot be written. A deferred writer writes these records by its next write.
  ///
  /// - Throws: `Problem` when the former file cannot be written; call this function again later.
  /// - Precondition: no write is in progress.
  public func startNextFile(_ successor: JournalSuccessor, at instant: Instant) throws(Problem) {
    precondition(current == nil, "a write is in progress")
    if isDeferred { former = takeBuffer() } else { try flush() }
    enter(successor, at: instant)
  }

  /// True while `path` refers to the current file. When another process removes or renames the file, readers
  /// do not find the records that are written afterwards.
  public var isInPlace: Bool { storage.isInPlace }

  /// A function that returns the value of `isInPlace`. Any thread may call it.
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

  /// Continues in the new file at the path of a removed file. When the new file cannot be written, `failure`
  /// has the reason.
  ///
  /// - Precondition: no write is in progress.
  public func startOver(_ successor: JournalSuccessor, at instant: Instant) {
    precondition(current == nil, "a write is in progress")
    if !isDeferred { do throws(Problem) { try flush() } catch _ {} }
    // Drop the records that are not written yet, because readers do not find the removed file.
    former = nil
    buffer.removeAll()
    enter(successor, at: instant)
  }

  private func enter(_ successor: JournalSuccessor, at instant: Instant) {
    storage = successor.file
    number += 1
    (written, rotation.repeated) = (0, 0)
    mustCut = false
    buffer.append(JournalFormat.header)
    withUnsafeBytes(of: number.littleEndian) {
      buffer.append(kind: JournalSegments.kind, instant: instant.nanoseconds, $0)
    }
    // A failure is kept in `failure`, and the records stay in the buffer.
    if !isDeferred { do throws(Problem) { try flush() } catch _ {} }
  }
}
