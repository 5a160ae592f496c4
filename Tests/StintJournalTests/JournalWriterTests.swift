import StintUnits
import Testing

@testable import StintJournal

@Suite("Journal writer")
struct JournalWriterTests {
  private static func journal(_ records: [JournalRecord]) throws -> TemporaryFile {
    let file = TemporaryFile()
    let writer = try JournalWriter(creating: file.path)
    for record in records { try writer.append(record) }
    try writer.flush()
    return file
  }

  @Test("a continued journal gets new records after its last record")
  func continues() throws {
    let records = JournalTests.records(20)
    let file = try Self.journal(Array(records[..<9]))
    let writer = try JournalWriter(continuing: file.path)
    for record in records[9...] { try writer.append(record) }
    try writer.flush()
    #expect(writer.droppedBytes == 0)
    #expect(try JournalTests.read(JournalReader(path: file.path)).0 == records)
  }

  @Test(
    "a torn record is removed and its bytes are counted when a journal is continued",
    arguments: [1, 15, 17, 36, 37, 60])
  func recovers(keep: Int) throws {
    let record = JournalRecord(kind: 1, instant: .epoch, payload: [1, 2, 3, 4])
    let file = try Self.journal([record, record])
    file.replace(with: Array(file.bytes()[..<keep]))
    let writer = try JournalWriter(continuing: file.path)
    let whole = keep < 16 ? 0 : 16 + (keep - 16) / 24 * 24
    #expect(writer.droppedBytes == Int64(keep - whole))
    try writer.append(record)
    try writer.flush()
    let count = keep < 40 ? 1 : 2
    let (found, ending) = try JournalTests.read(JournalReader(path: file.path))
    #expect(found == Array(repeating: record, count: count))
    #expect(ending == .whole)
  }

  @Test("a corrupt journal is not continued and not changed")
  func corrupt() throws {
    let file = try Self.journal(JournalTests.records(5))
    var bytes = file.bytes()
    bytes[30] ^= 4
    file.replace(with: bytes)
    let error = #expect(throws: Problem.self) { _ = try JournalWriter(continuing: file.path) }
    #expect(error?.code == .corrupt)
    #expect(file.bytes() == bytes)
  }

  @Test("an existing file is not overwritten")
  func exists() {
    let file = TemporaryFile([1, 2, 3])
    let error = #expect(throws: Problem.self) { _ = try JournalWriter(creating: file.path) }
    #expect(error?.code == .exists)
    #expect(file.bytes() == [1, 2, 3])
  }

  @Test("a second writer of a journal is rejected")
  func busy() throws {
    let file = TemporaryFile()
    let writer = try JournalWriter(creating: file.path)
    let error = #expect(throws: Problem.self) { _ = try JournalWriter(continuing: file.path) }
    #expect(error?.code == .inUse)
    try writer.flush()
  }

  @Test("a full disk is an error with a remedy")
  func full() throws {
    let file = TemporaryFile()
    // The first write fails. It is the write of the header of the new journal.
    let error = #expect(throws: Problem.self) {
      let disk = DiskFullSwitch()
      disk.isFull = true
      _ = try JournalWriter(creating: file.path, room: disk)
    }
    #expect(error?.code == .full)
    #expect(error?.remedy.isEmpty == false)
  }

  @Test(
    "a path that cannot be opened is an error with its cause",
    arguments: [("/nowhere/x.journal", Problem.Code.notFound), ("/tmp", .refused)])
  func unopenable(path: String, code: Problem.Code) {
    let error = #expect(throws: Problem.self) {
      var reader = try JournalReader(path: path)
      _ = try reader.next()
    }
    #expect(error?.code == code)
    #expect(error?.description.contains(path) == true)
  }
}
