import StintUnits
import Testing

@testable import StintJournal

@Suite("Journals of several files")
struct JournalSegmentsTests {
  private static let limit = JournalLimit(bytes: 1 << 20)

  /// Writes records of a thousand bytes, which fill several files.
  private static func write(_ count: Int, to path: String) throws {
    let writer = try JournalWriter(creating: path, limit: limit)
    for index in 0..<count {
      let instant = Instant(nanoseconds: Int64(index))
      if writer.isFull { try writer.startNextFile(at: instant) }
      try writer.append(kind: 1, at: instant, [UInt8](repeating: UInt8(index & 0xFF), count: 1000))
    }
    try writer.flush()
  }

  private static func bytes(of path: String) throws -> Int64 {
    try JournalSegments.paths(of: path).reduce(0) { try $0 + JournalFile.reading($1).length() }
  }

  private static func remove(_ path: String) {
    for file in JournalSegments.paths(of: path) { TemporaryFile.remove(file) }
  }

  @Test("a journal never exceeds its size limit, and there is no gap in the records that remain")
  func bounded() throws {
    let file = TemporaryFile()
    defer { Self.remove(file.path) }
    var largest: Int64 = 0
    for count in [100, 900, 5000] {
      Self.remove(file.path)
      try Self.write(count, to: file.path)
      largest = max(largest, try Self.bytes(of: file.path))
      let (records, ending) = try JournalTests.read(JournalReader(path: file.path))
      #expect(ending == .whole)
      let instants = records.filter { $0.kind == 1 }.map(\.instant.nanoseconds)
      #expect(instants == Array((Int64(count) - Int64(instants.count))..<Int64(count)))
      #expect(count > 900 || instants.count == count)
    }
    #expect(largest <= Self.limit.bytes)
    #expect(largest > Self.limit.bytes / 2)
  }

  @Test("files with many repeated records at their start get new records too, and the size stays bounded")
  func repetition() throws {
    for repeated in [100, 300, 400, 900] {
      let file = TemporaryFile()
      defer { Self.remove(file.path) }
      let writer = try JournalWriter(creating: file.path, limit: Self.limit)
      writer.rotation.expected = Int64(repeated * 1000)
      var starts = 0
      var largest: Int64 = 0
      for index in 0..<3000 {
        let instant = Instant(nanoseconds: Int64(index))
        if writer.isFull {
          try writer.startNextFile(at: instant)
          for _ in 0..<repeated {
            try writer.append(kind: 2, at: instant, [UInt8](repeating: 0, count: 1000))
          }
          writer.endRepetition()
          starts += 1
        }
        try writer.append(kind: 1, at: instant, [UInt8](repeating: 0, count: 1000))
        if index.isMultiple(of: 50) {
          try writer.flush()
          largest = max(largest, try Self.bytes(of: file.path))
        }
      }
      try writer.flush()
      // New records fill at least half of the intended size of each file: 131 records of a thousand bytes.
      #expect(starts > 10 && starts <= 3000 / 125, "\(repeated): \(starts)")
      let bound = Self.limit.bytes + writer.rotation.excess + 4096
      #expect(largest <= bound, "\(repeated): \(largest)")
      #expect((writer.rotation.excess > 0) == (repeated == 900), "\(repeated): \(writer.rotation.excess)")
      let (_, ending) = try JournalTests.read(JournalReader(path: file.path))
      #expect(ending == .whole)
    }
  }

  @Test("a missing file in the middle is reported, after the files before it were read")
  func missing() throws {
    let file = TemporaryFile()
    defer { Self.remove(file.path) }
    try Self.write(900, to: file.path)
    let archived = JournalSegments.archived(of: file.path)
    #expect(archived.map(\.number) == [0, 1, 2])
    TemporaryFile.remove(archived[1].path)
    var reader = try JournalReader(path: file.path)
    var count = 0
    let error = #expect(throws: Problem.self) { while try reader.next() != nil { count += 1 } }
    #expect(error?.code == .missingPart)
    #expect(error?.cause == "file 1 of the journal is missing before this one")
    #expect(count > 100)
  }

  @Test("a torn archived file is an error, not the end of the journal")
  func tornInTheMiddle() throws {
    let file = TemporaryFile()
    defer { Self.remove(file.path) }
    try Self.write(600, to: file.path)
    let archived = JournalSegments.archived(of: file.path)[0].path
    TemporaryFile.shorten(archived, by: 10)
    var reader = try JournalReader(path: file.path)
    let error = #expect(throws: Problem.self) { while try reader.next() != nil {} }
    #expect(error?.code == .corrupt)
    #expect(error?.place.name == archived)
  }

  @Test("a journal of several files is continued in the last file, with the next index")
  func continued() throws {
    let file = TemporaryFile()
    defer { Self.remove(file.path) }
    try Self.write(400, to: file.path)
    do {
      let writer = try JournalWriter(continuing: file.path, limit: Self.limit)
      try writer.startNextFile(at: Instant(nanoseconds: 400))
      try writer.append(kind: 1, at: Instant(nanoseconds: 400), [1])
      try writer.flush()
    }
    #expect(JournalSegments.archived(of: file.path).map(\.number) == [0, 1])
    let (records, _) = try JournalTests.read(JournalReader(path: file.path))
    #expect(records.filter { $0.kind == 1 }.count == 401)
  }

  @Test("no record is lost or out of order when records arrive while the next file is made")
  func madeElsewhere() throws {
    let file = TemporaryFile()
    defer { Self.remove(file.path) }
    let writer = try JournalWriter(creating: file.path, limit: Self.limit)
    for index in 0..<3 {
      let make = writer.successor()
      try writer.append(kind: 1, at: Instant(nanoseconds: Int64(index * 3)), [1])
      let next = try make()
      // The path now refers to the next file, but this record belongs to the archived file.
      try writer.append(kind: 1, at: Instant(nanoseconds: Int64(index * 3 + 1)), [2])
      try writer.startNextFile(next, at: Instant(nanoseconds: Int64(index * 3 + 2)))
      try writer.append(kind: 1, at: Instant(nanoseconds: Int64(index * 3 + 2)), [3])
    }
    try writer.flush()
    #expect(writer.isInPlace && writer.placeTest())
    #expect(JournalSegments.archived(of: file.path).map(\.number) == [0, 1, 2])
    let (records, ending) = try JournalTests.read(JournalReader(path: file.path))
    #expect(ending == .whole)
    #expect(records.filter { $0.kind == 1 }.map(\.instant.nanoseconds) == Array(0..<9))
  }

  @Test("a new journal is not created next to files of an earlier journal, and those files are unchanged")
  func leftovers() throws {
    let file = TemporaryFile()
    defer { Self.remove(file.path) }
    try Self.write(400, to: file.path)
    TemporaryFile.remove(file.path)
    let error = #expect(throws: Problem.self) { _ = try JournalWriter(creating: file.path) }
    #expect(error?.code == .exists)
    #expect(JournalSegments.archived(of: file.path).count == 1)
  }

  @Test("an empty file is an error when it is read, and becomes a journal when it is continued")
  func empty() throws {
    let file = TemporaryFile([])
    let error = #expect(throws: Problem.self) {
      var reader = try JournalReader(path: file.path)
      _ = try reader.next()
    }
    #expect(error?.code == .empty)
    try JournalWriter(continuing: file.path).append(kind: 1, at: .epoch, [1])
    #expect(file.bytes() == JournalFormat.header)
  }

  @Test("a journal of the first version can be read, but not continued")
  func firstVersion() throws {
    let records = JournalTests.records(4)
    var (bytes, _) = try JournalTests.image(records)
    bytes.replaceSubrange(..<16, with: JournalFormat.header(version: 1))
    let file = TemporaryFile(bytes)
    #expect(try JournalTests.read(JournalReader(path: file.path)).0 == records)
    let error = #expect(throws: Problem.self) { _ = try JournalWriter(continuing: file.path) }
    #expect(error?.code == .version)
    #expect(file.bytes() == bytes)
  }
}
