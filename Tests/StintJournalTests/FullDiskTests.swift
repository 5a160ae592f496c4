import StintUnits
import Testing

@testable import StintJournal

@Suite("Journal on a full disk")
struct FullDiskTests {
  private static let payload = [UInt8](repeating: 5, count: 1000)

  /// Appends a record for each index of the range, one per 100 ms of record time, and returns the errors.
  private static func append(_ range: Range<Int>, to writer: JournalWriter) -> [Problem] {
    range.compactMap { index in
      do throws(Problem) {
        try writer.append(kind: 1, at: Instant(nanoseconds: Int64(index) * 100_000_000), payload)
        return nil
      } catch {
        return error
      }
    }
  }

  private static func records(_ disk: LimitedMemoryStorage) throws -> [JournalRecord] {
    let (records, ending) = try JournalTests.read(JournalReader(bytes: disk.bytes, source: disk.path))
    #expect(ending == .whole)
    return records
  }

  @Test("no record is lost when the disk is full for a short time", arguments: [false, true])
  func shortOutage(refusesTruncation: Bool) throws {
    let disk = LimitedMemoryStorage(capacity: 100_000)
    let writer = try JournalWriter(fresh: disk, droppedBytes: 0)
    disk.refusesTruncation = refusesTruncation
    let errors = Self.append(0..<500, to: writer)
    #expect(errors.map(\.code) == [.full])
    #expect(writer.failure?.code == .full)
    #expect(writer.gap == nil)
    (disk.capacity, disk.refusesTruncation) = (.max, false)
    #expect(Self.append(500..<520, to: writer).isEmpty)
    try writer.synchronize()
    #expect(writer.failure == nil)
    let found = try Self.records(disk)
    #expect(found.map(\.instant.nanoseconds) == (0..<520).map { Int64($0) * 100_000_000 })
  }

  @Test(
    "records lost on a full disk are counted, and a gap record follows when the disk has space")
  func longOutage() throws {
    let disk = LimitedMemoryStorage(capacity: 100_000)
    let writer = try JournalWriter(fresh: disk, droppedBytes: 0)
    #expect(Self.append(0..<5000, to: writer).count == 1)
    let lost = try #require(writer.gap)
    #expect(lost.last == Instant(nanoseconds: 4999 * 100_000_000))
    disk.capacity = .max
    // The longest pause between two attempts is 30 s.
    #expect(Self.append(5000..<5320, to: writer).isEmpty)
    try writer.flush()
    #expect(writer.gapsRecorded == 1)
    #expect(writer.gap == nil)
    let found = try Self.records(disk)
    let place = try #require(found.firstIndex { $0.kind == JournalGap.kind })
    let gap = try #require(JournalGap(found[place]))
    #expect(gap.first.nanoseconds == Int64(place) * 100_000_000)
    #expect(found.count - 1 + Int(gap.records) == 5320)
    #expect(found.last?.instant == Instant(nanoseconds: 5319 * 100_000_000))
    #expect(found[(place + 1)...].first.map { $0.instant > gap.last } == true)
  }

  @Test("writing to a full disk is retried after 1, 2, 4, 8, 16 and then each 30 s of record time")
  func retryPause() throws {
    let disk = LimitedMemoryStorage(capacity: 100_000)
    let writer = try JournalWriter(fresh: disk, droppedBytes: 0)
    _ = Self.append(0..<200, to: writer)
    let before = disk.attempts
    _ = Self.append(200..<3200, to: writer)
    #expect((10...12).contains(disk.attempts - before), "\(disk.attempts - before)")
  }

  @Test(
    "a journal is readable and loses no record, whichever byte fills the disk")
  func everyByte() throws {
    for capacity in 16..<600 {
      let disk = LimitedMemoryStorage(capacity: capacity)
      let writer = try JournalWriter(fresh: disk, droppedBytes: 0)
      for index in 0..<8 {
        do throws(Problem) {
          try writer.append(kind: 1, at: Instant(nanoseconds: Int64(index)), [UInt8](repeating: 9, count: 50))
          try writer.flush()
        } catch {
          #expect(error.code == .full)
        }
        let whole = try Self.records(disk)
        #expect(whole.count == min((capacity - 16) / 70, index + 1))
      }
      disk.capacity = .max
      try writer.flush()
      #expect(try Self.records(disk).count == 8, "space for \(capacity) bytes")
    }
  }

  @Test("only a record of the right kind and form is read as a gap")
  func otherRecords() {
    let gap = JournalGap(records: 3, first: Instant(nanoseconds: 5), last: Instant(nanoseconds: 9))
    let record = JournalRecord(kind: JournalGap.kind, instant: gap.last, payload: gap.payload)
    #expect(JournalGap(record) == gap)
    #expect(JournalGap(JournalRecord(kind: 1, instant: gap.last, payload: gap.payload)) == nil)
    #expect(JournalGap(JournalRecord(kind: JournalGap.kind, instant: gap.last, payload: [1])) == nil)
    let none = JournalGap(records: 0, first: gap.first, last: gap.last)
    #expect(JournalGap(JournalRecord(kind: JournalGap.kind, instant: gap.last, payload: none.payload)) == nil)
  }
}
