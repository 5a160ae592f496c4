import StintUnits
import Testing

@testable import StintJournal

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Tests of the folder with the journals of one daemon, one journal for each start.
@Suite struct JournalFolderTests {
  private let file = TemporaryFile()

  private func removeAll() throws {
    for entry in try JournalFolder.entries(of: file.path) { unlink(entry.path) }
    rmdir(file.path)
  }

  private func fill(_ writer: JournalWriter, _ count: Int, bytes: Int = 100) throws {
    let payload = [UInt8](repeating: 7, count: bytes)
    for number in 0..<count {
      if writer.isFull { try writer.startNextFile(at: Instant(nanoseconds: Int64(number))) }
      try writer.append(kind: 3, at: Instant(nanoseconds: Int64(number)), payload)
    }
    try writer.flush()
  }

  @Test("each start of a daemon gets its own journal, numbered after the existing journals")
  func starts() throws {
    try JournalFolder.make(file.path)
    for count in 1...3 {
      try JournalFolder.make(file.path)
      try fill(try JournalFolder.begin(in: file.path), count)
    }
    let journals = try JournalFolder.journals(at: file.path)
    #expect(journals == (1...3).map { "\(file.path)/00000\($0)" })
    for (place, path) in journals.enumerated() {
      var reader = try JournalReader(path: path)
      var count = 0
      while try reader.next() != nil { count += 1 }
      #expect(count == place + 1 && reader.ending == .whole)
    }
    try removeAll()
  }

  @Test("a torn journal stays unchanged and does not prevent a later start")
  func torn() throws {
    try JournalFolder.make(file.path)
    try fill(try JournalFolder.begin(in: file.path), 5)
    TemporaryFile.shorten(file.path + "/000001", by: 10)
    try fill(try JournalFolder.begin(in: file.path), 2)
    var reader = try JournalReader(path: file.path + "/000001")
    guard case .torn = try reader.scan() else {
      Issue.record("the journal is not torn")
      return
    }
    #expect(try JournalFolder.journals(at: file.path).count == 2)
    try removeAll()
  }

  @Test("a journal at the path of the folder becomes the folder's first journal, with its archived files")
  func former() throws {
    try fill(try JournalWriter(creating: file.path, limit: JournalLimit(bytes: 1 << 20)), 4000)
    #expect(!JournalSegments.archived(of: file.path).isEmpty)
    try JournalFolder.make(file.path)
    try fill(try JournalFolder.begin(in: file.path), 1)
    let journals = try JournalFolder.journals(at: file.path)
    #expect(journals.count == 2)
    var reader = try JournalReader(path: journals[0])
    #expect(try reader.scan() == .whole)
    #expect(JournalSegments.archived(of: file.path).isEmpty)
    try removeAll()
  }

  @Test("a file at the path of the folder that is not a journal is rejected and unchanged")
  func unexpectedContent() throws {
    let other = TemporaryFile(Array("no journal".utf8))
    #expect(throws: Problem.self) { try JournalFolder.make(other.path) }
    #expect(other.bytes() == Array("no journal".utf8))
  }

  @Test("a size limit applies to the journals of all starts together, and the oldest files are removed first")
  func limit() throws {
    let limit = JournalLimit(bytes: 1 << 20)
    try JournalFolder.make(file.path)
    for _ in 0..<12 {
      try fill(try JournalFolder.begin(in: file.path, limit: limit), 3000)
      let sum = try JournalFolder.entries(of: file.path).reduce(0) { $0 + $1.bytes }
      #expect(sum <= limit.bytes)
    }
    #expect(try JournalFolder.entries(of: file.path).last?.start == 12)
    try removeAll()
  }

  @Test("a removed or renamed journal file is detected, and a new file gets its path")
  func outOfPlace() throws {
    try JournalFolder.make(file.path)
    let writer = try JournalFolder.begin(in: file.path)
    try fill(writer, 3)
    #expect(writer.isInPlace)
    unlink(writer.path)
    #expect(!writer.isInPlace)
    try writer.startOver(at: .epoch)
    #expect(writer.isInPlace)
    try fill(writer, 2)
    rename(writer.path, file.path + "/000009")
    #expect(!writer.isInPlace)
    try writer.startOver(at: .epoch)
    try fill(writer, 1)
    var reader = try JournalReader(path: writer.path)
    var kinds: [UInt8] = []
    while let record = try reader.next() { kinds.append(record.kind) }
    #expect(kinds == [JournalSegments.kind, 3])
    try removeAll()
  }

  @Test("a journal begins on a full disk, and its first records follow when there is space")
  func fullAtStart() throws {
    try JournalFolder.make(file.path)
    let disk = DiskFullSwitch()
    disk.isFull = true
    let writer = try JournalFolder.begin(in: file.path, room: disk)
    #expect(writer.failure?.code == .full)
    try writer.append(kind: 3, at: .epoch, [1])
    disk.isFull = false
    try writer.append(kind: 4, at: .epoch + .seconds(2), [2])
    try writer.synchronize()
    #expect(writer.failure == nil && writer.lostRecords == 0)
    var reader = try JournalReader(path: writer.path)
    var kinds: [UInt8] = []
    while let record = try reader.next() { kinds.append(record.kind) }
    #expect(kinds == [3, 4])
    try removeAll()
  }

  @Test("other users cannot read a journal")
  func permissions() throws {
    try JournalFolder.make(file.path)
    let writer = try JournalFolder.begin(in: file.path)
    var status = stat()
    #expect(stat(writer.path, &status) == 0 && status.st_mode & 0o007 == 0)
    #expect(stat(file.path, &status) == 0 && status.st_mode & 0o007 == 0)
    try removeAll()
  }

  @Test("the journal of a daemon that was killed before the first record is skipped")
  func killedAtOnce() throws {
    try JournalFolder.make(file.path)
    try fill(try JournalFolder.begin(in: file.path), 2)
    for bytes in [
      [], Array(JournalFormat.header.prefix(5)), JournalFormat.header, JournalFormat.header + [1, 2],
    ] {
      let writer = try JournalFolder.begin(in: file.path)
      let descriptor = open(writer.path, O_WRONLY | O_TRUNC)
      #expect(write(descriptor, bytes, bytes.count) == bytes.count)
      close(descriptor)
    }
    #expect(try JournalFolder.journals(at: file.path) == [file.path + "/000001"])
    try removeAll()
  }

  @Test("reading a folder without journals is an error")
  func empty() throws {
    try JournalFolder.make(file.path)
    #expect(throws: Problem.self) { try JournalFolder.journals(at: file.path) }
    try removeAll()
  }
}
