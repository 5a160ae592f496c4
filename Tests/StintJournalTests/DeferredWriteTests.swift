import StintUnits
import Testing

@testable import StintJournal

@Suite("Journal that is written on another thread")
struct DeferredWriteTests {
  private static func instant(_ index: Int) -> Instant { Instant(nanoseconds: Int64(index) * 100_000_000) }

  private static func append(_ index: Int, to writer: JournalWriter, bytes: Int = 1000) throws {
    try writer.append(kind: 1, at: instant(index), [UInt8](repeating: UInt8(index & 0xFF), count: bytes))
  }

  /// Performs a write and passes its result to the writer. Returns true when the write has succeeded.
  @discardableResult
  private static func end(_ write: JournalWrite, of writer: JournalWriter) -> Bool {
    do throws(Problem) {
      try writer.endWrite(write.perform())
      return true
    } catch {
      return false
    }
  }

  /// Checks that the records are in order. Each appended record must be in the journal once, or must be
  /// counted by a gap record in its position.
  private static func judge(_ records: [JournalRecord], count: Int, lost: Int64, _ seed: Int) {
    var next = 0
    var missing: Int64 = 0
    for record in records where record.kind == 1 || record.kind == JournalGap.kind {
      if let gap = JournalGap(record) {
        #expect(gap.first == instant(next), "seed \(seed)")
        next += Int(gap.records)
        missing += gap.records
      } else {
        #expect(record.instant == instant(next), "seed \(seed)")
        next += 1
      }
    }
    #expect(next == count && missing == lost, "seed \(seed)")
  }

  @Test("each record is in the journal or counted by a gap in its position, even when the disk is full")
  func random() throws {
    var gaps = 0
    for seed in 0..<300 {
      var numbers = SeededNumbers(seed: UInt64(seed))
      let disk = LimitedMemoryStorage(capacity: .max)
      let writer = try JournalWriter(fresh: disk, droppedBytes: 0)
      writer.isDeferred = true
      var write: JournalWrite?
      var count = 0
      for _ in 0..<400 {
        switch numbers.next() % 8 {
        case 0...3:
          for _ in 0..<(numbers.next() % 60) {
            try Self.append(count, to: writer)
            count += 1
          }
        case 4, 5: write = write ?? writer.beginWrite(at: Self.instant(count))
        case 6:
          if let ended = write.take() { Self.end(ended, of: writer) }
        default:
          disk.capacity = numbers.next() % 3 == 0 ? disk.bytes.count + Int(numbers.next() % 5000) : .max
          disk.refusesTruncation = numbers.next() % 4 == 0
        }
      }
      if let write { Self.end(write, of: writer) }
      (disk.capacity, disk.refusesTruncation) = (.max, false)
      let last = try #require(writer.lastWrites())
      try last()
      let (records, ending) = try JournalTests.read(JournalReader(bytes: disk.bytes, source: disk.path))
      #expect(ending == .whole)
      Self.judge(records, count: count, lost: writer.lostRecords, seed)
      gaps += records.count { $0.kind == JournalGap.kind }
    }
    #expect(gaps > 20)
  }

  @Test("a call of a deferred writer accesses no file before the write is performed")
  func noAccess() throws {
    let disk = LimitedMemoryStorage(capacity: .max)
    let writer = try JournalWriter(fresh: disk, droppedBytes: 0)
    writer.isDeferred = true
    let before = disk.attempts
    for index in 0..<3000 { try Self.append(index, to: writer) }
    #expect(try writer.synchronization() == nil)
    let write = try #require(writer.beginWrite(at: Self.instant(3000)))
    #expect(disk.attempts == before && writer.isWriting && writer.beginWrite(at: Self.instant(3001)) == nil)
    #expect(writer.lastWrites() == nil)
    #expect(Self.end(write, of: writer) && disk.attempts == before + 1 && !writer.isWriting)
    #expect(writer.lostRecords == 0)
  }

  @Test("while a write does not end, the writer keeps 8 MiB of records, and drops and counts further records")
  func bounded() throws {
    let disk = LimitedMemoryStorage(capacity: .max)
    let writer = try JournalWriter(fresh: disk, droppedBytes: 0)
    writer.isDeferred = true
    try Self.append(0, to: writer)
    let write = try #require(writer.beginWrite(at: Self.instant(1)))
    for index in 1..<20_000 { try Self.append(index, to: writer) }
    let kept = (8 << 20) / 1020 + 1
    #expect(writer.lostRecords == Int64(19_999 - kept))
    #expect(Self.end(write, of: writer))
    try writer.lastWrites()?()
    let (records, _) = try JournalTests.read(JournalReader(bytes: disk.bytes, source: disk.path))
    Self.judge(records, count: 20_000, lost: writer.lostRecords, 0)
  }

  @Test("records from before a change of files are in the former file, even if the disk is full for a while")
  func files() throws {
    for isFull in [false, true] {
      let file = TemporaryFile()
      defer { for path in JournalSegments.paths(of: file.path) { TemporaryFile.remove(path) } }
      let room = DiskFullSwitch()
      let writer = try JournalWriter(creating: file.path, limit: JournalLimit(bytes: 1 << 20), room: room)
      writer.isDeferred = true
      var count = 0
      while !writer.isFull {
        try Self.append(count, to: writer)
        count += 1
      }
      let next = try writer.successor()()
      try writer.startNextFile(next, at: Self.instant(count))
      #expect(!writer.isFull)
      room.isFull = isFull
      for _ in 0..<5 {
        try Self.append(count, to: writer)
        count += 1
        if let write = writer.beginWrite(at: Self.instant(count * 20)) {
          #expect(Self.end(write, of: writer) == !isFull)
        }
      }
      room.isFull = false
      try writer.lastWrites()?()
      let (records, ending) = try JournalTests.read(JournalReader(path: file.path))
      #expect(ending == .whole && JournalSegments.paths(of: file.path).count == 2)
      Self.judge(records, count: count, lost: 0, 0)
      let (newest, _) = try JournalTests.read(JournalReader(file: JournalFile.reading(file.path)))
      #expect(newest.count { $0.kind == 1 } == 5)
    }
  }
}
