public import StintUnits

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Appends records to a journal.
///
/// Records gather in memory and go to the file when 64 KiB have come together, at `flush()`, or at
/// `synchronize()`; records that a writer still holds are lost when it is released without a flush. One
/// writer at a time: a second is refused.
///
/// A file that refuses to be written ends nothing: up to 1 MiB is kept and written as soon as there is room. What
/// comes beyond is counted, and a record tells of the gap where the journal goes on.
public final class JournalWriter {
  private static let flushLimit = 64 << 10
  private static let keepLimit = 1 << 20
  /// How long, in the time of the records, until it is tried again to write.
  private static let patience = TimeSpan.seconds(1)

  private var storage: any JournalStorage
  private let limit: JournalLimit?
  private let room: DiskSpace?
  private let buffer = JournalBuffer(capacity: flushLimit + 4096)
  /// The length of the file as far as it is known to be whole.
  private var written: Int64
  /// Whether behind that stands a part of something that could not be written as a whole.
  private var mustCut = false
  private var retry = Instant(nanoseconds: .min)
  /// Which of the journal's files this is, from 0.
  private var number: Int64
  /// Why nothing can be written at present; nil while all is well.
  public private(set) var failure: Problem?
  /// What is lost and not recorded yet.
  public private(set) var gap: JournalGap?
  /// How many records are lost in all.
  public private(set) var lostRecords: Int64 = 0
  /// How many gaps stand in the journal by this writer.
  public private(set) var gapsRecorded = 0
  /// How many bytes of a torn tail were cut off when the journal was opened.
  public let droppedBytes: Int64

  /// Starts a new journal; refused where a file stands already. Within a limit, its owner asks `isFull` and calls
  /// `startNextFile`.
  ///
  /// `room` stands for the disk's own, to try what a full one does.
  public convenience init(
    creating path: String, limit: JournalLimit? = nil, room: DiskSpace? = nil
  ) throws(Problem) {
    let file = try JournalFile.appending(path, creating: true, room: room)
    try JournalSegments.requireNone(beside: path)
    try self.init(fresh: file, droppedBytes: 0, limit: limit, room: room)
  }

  /// Goes on with a journal; a torn tail is cut off and counted, a corrupt record is refused, and so is a journal
  /// of an older version. An empty file becomes a journal.
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
        cause: "it has format version \(reader.version), which is read but not continued",
        remedy: "start a new journal beside it")
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

  /// Starts a journal in an empty file.
  convenience init(
    fresh storage: any JournalStorage, droppedBytes: Int64, limit: JournalLimit? = nil, room: DiskSpace? = nil
  ) throws(Problem) {
    self.init(storage: storage, written: 0, droppedBytes: droppedBytes, limit: limit, number: 0, room: room)
    buffer.append(JournalFormat.header)
    try flush()
  }

  private init(
    storage: any JournalStorage, written: Int64, droppedBytes: Int64, limit: JournalLimit?, number: Int64,
    room: DiskSpace? = nil
  ) {
    self.room = room
    self.storage = storage
    self.written = written
    self.droppedBytes = droppedBytes
    self.limit = limit
    self.number = number
  }

  /// The file's name.
  public var path: String { storage.path }

  /// The length of the file with what is still in memory: where the next record will begin.
  public var offset: Int64 { written + Int64(buffer.count) }

  // MARK: Writing

  /// Appends a record. Throws when the file begins to refuse, once; after that records are kept, then counted.
  ///
  /// - Precondition: the payload is at most `JournalFormat.payloadLimit` bytes.
  public func append(kind: UInt8, at instant: Instant, _ payload: UnsafeRawBufferPointer) throws(Problem) {
    precondition(payload.count <= JournalFormat.payloadLimit, "a journal payload is at most 16 MiB")
    if failure != nil, !resume(at: instant) {
      if gap != nil || buffer.count + payload.count > Self.keepLimit {
        lostRecords += 1
        gap = gap?.with(instant) ?? JournalGap(records: 1, first: instant, last: instant)
        return
      }
    }
    buffer.append(kind: kind, instant: instant.nanoseconds, payload)
    if buffer.count >= Self.flushLimit, failure == nil {
      retry = instant + Self.patience
      try flush()
    }
  }

  /// Appends a record.
  public func append(kind: UInt8, at instant: Instant, _ payload: [UInt8]) throws(Problem) {
    var problem: Problem?
    payload.withUnsafeBytes { bytes in
      do throws(Problem) { try append(kind: kind, at: instant, bytes) } catch { problem = error }
    }
    if let problem { throw problem }
  }

  /// Appends a record.
  public func append(_ record: JournalRecord) throws(Problem) {
    try append(kind: record.kind, at: record.instant, record.payload)
  }

  /// Hands everything to the system; it survives the end of this process.
  ///
  /// When that fails, the file is cut back to its last whole record, and what could not be written is kept.
  public func flush() throws(Problem) {
    guard buffer.count > 0 || gap != nil else { return }
    do throws(Problem) {
      try writeOut()
    } catch {
      failure = error
      throw error
    }
  }

  /// Brings everything to the disk; it survives the loss of power.
  public func synchronize() throws(Problem) {
    try flush()
    try storage.synchronize()
  }

  /// Hands everything to the system, and returns what brings it to the disk: called once, from any thread.
  ///
  /// - Returns: nil where all of it is on the disk already.
  public func synchronization() throws(Problem) -> (@Sendable () throws(Problem) -> Void)? {
    try flush()
    if let work = storage.synchronization() { return work }
    try storage.synchronize()
    return nil
  }

  /// Whether the journal goes on after a failure: tried now and then, in the time of the records.
  private func resume(at instant: Instant) -> Bool {
    guard instant >= retry else { return false }
    retry = instant + Self.patience
    do throws(Problem) {
      try writeOut()
      return true
    } catch {
      failure = error
      return false
    }
  }

  /// Writes what is in memory, and behind it what is missing.
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
      // The first failure is the one to report; a tail that cannot be cut now is cut before the next attempt.
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

  /// Whether the file has reached the length at which the next should begin.
  public var isFull: Bool { limit.map { offset >= $0.fileBytes * 7 / 8 } ?? false }

  /// Puts the file aside, begins the next one and removes those beyond the limit. When that fails, the journal goes
  /// on in the file that it has.
  ///
  /// The owner must then write again whatever a reader needs who has none of the earlier files.
  public func startNextFile(at instant: Instant) throws(Problem) {
    try flush()
    let path = storage.path
    let next = try JournalSegments.archive(path, as: number, room: room)
    storage = next
    number += 1
    written = 0
    buffer.append(JournalFormat.header)
    withUnsafeBytes(of: number.littleEndian) {
      buffer.append(kind: JournalSegments.kind, instant: instant.nanoseconds, $0)
    }
    JournalSegments.removeOldest(of: path, keeping: JournalLimit.files - 1)
    if let limit, let cut = path.lastIndex(of: "/") {
      let folder = String(path[..<cut])
      JournalFolder.trim(folder, to: limit.bytes - limit.fileBytes, sparing: path)
    }
    try flush()
  }

  /// Whether the file still has its name. Another process may have removed or renamed it, and what is written
  /// since then is lost to readers.
  public var isInPlace: Bool { storage.isInPlace }

  /// Begins a new file of the same name, where the one before was removed or renamed. When that fails, the journal goes
  /// on in the file that it has.
  ///
  /// The owner must then write again whatever a reader needs who has none of the earlier files.
  public func startOver(at instant: Instant) throws(Problem) {
    let path = storage.path
    if let cut = path.lastIndex(of: "/") { _ = mkdir(String(path[..<cut]), 0o755) }
    let next = try JournalFile.appending(path, creating: true, room: room)
    do throws(Problem) { try flush() } catch _ {}
    storage = next
    number += 1
    written = 0
    mustCut = false
    buffer.removeAll()
    buffer.append(JournalFormat.header)
    withUnsafeBytes(of: number.littleEndian) {
      buffer.append(kind: JournalSegments.kind, instant: instant.nanoseconds, $0)
    }
    try flush()
  }
}
