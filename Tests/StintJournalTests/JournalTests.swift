import StintUnits
import Testing

@testable import StintJournal

@Suite("Journal")
struct JournalTests {
  /// Returns random records of different lengths.
  static func records(_ count: Int, seed: UInt64 = 1) -> [JournalRecord] {
    var numbers = SeededNumbers(seed: seed)
    return (0..<count).map { index in
      let length = index % 7 == 0 ? 0 : Int.random(in: 1...90, using: &numbers)
      return JournalRecord(
        kind: UInt8(truncatingIfNeeded: numbers.next()), instant: Instant(nanoseconds: Int64(index) - 3),
        payload: (0..<length).map { _ in UInt8(truncatingIfNeeded: numbers.next()) })
    }
  }

  /// Returns the bytes of a journal with the records, and the offset of each record.
  static func image(_ records: [JournalRecord]) throws -> (bytes: [UInt8], starts: [Int]) {
    let file = TemporaryFile()
    let writer = try JournalWriter(creating: file.path)
    var starts: [Int] = []
    for record in records {
      starts.append(Int(writer.offset))
      try writer.append(record)
    }
    try writer.flush()
    return (file.bytes(), starts)
  }

  static func read(_ reader: JournalReader) throws -> ([JournalRecord], JournalEnding) {
    var reader = reader
    var records: [JournalRecord] = []
    while let record = try reader.next() { records.append(record) }
    return (records, reader.ending)
  }

  @Test("written records are read back, from a file and from memory", arguments: [0, 1, 2, 50, 3000])
  func roundTrip(count: Int) throws {
    let file = TemporaryFile()
    let records = Self.records(count)
    let writer = try JournalWriter(creating: file.path)
    for record in records { try writer.append(record) }
    try writer.synchronize()
    let (fromFile, ending) = try Self.read(JournalReader(path: file.path))
    #expect(fromFile == records)
    #expect(ending == .whole)
    let (fromMemory, _) = try Self.read(JournalReader(bytes: file.bytes(), source: "memory"))
    #expect(fromMemory == records)
    #expect(Int64(file.bytes().count) == writer.offset)
  }

  @Test("a payload larger than any buffer is read back")
  func largePayload() throws {
    let file = TemporaryFile()
    let record = JournalRecord(kind: 9, instant: .epoch, payload: [UInt8](repeating: 7, count: 300_000))
    let writer = try JournalWriter(creating: file.path)
    try writer.append(record)
    try writer.append(record)
    try writer.flush()
    #expect(try Self.read(JournalReader(path: file.path)).0 == [record, record])
  }

  @Test("a journal cut at any byte gives all complete records and the offset of the torn record")
  func everyCut() throws {
    let records = Self.records(12)
    let (bytes, starts) = try Self.image(records)
    let ends = starts.dropFirst() + [bytes.count]
    for cut in 1..<bytes.count {
      let (found, ending) = try Self.read(JournalReader(bytes: Array(bytes[..<cut]), source: "cut"))
      let whole = ends.filter { $0 <= cut }.count
      #expect(found == Array(records[..<whole]), "cut at \(cut)")
      if cut < JournalFormat.headerLength {
        #expect(ending == .torn(atOffset: 0))
      } else if cut == JournalFormat.headerLength || ends.contains(cut) {
        #expect(ending == .whole)
      } else {
        #expect(ending == .torn(atOffset: Int64(starts[whole])))
      }
    }
  }

  @Test("a flipped bit gives an error with the offset of its record, after all earlier records were read")
  func flippedBits() throws {
    let records = Self.records(8)
    let (bytes, starts) = try Self.image(records)
    var numbers = SeededNumbers(seed: 42)
    for _ in 0..<2000 {
      let place = Int.random(in: 0..<bytes.count, using: &numbers)
      var damaged = bytes
      damaged[place] ^= 1 << UInt8.random(in: 0...7, using: &numbers)
      var reader = JournalReader(bytes: damaged, source: "flip")
      var found: [JournalRecord] = []
      let error = #expect(throws: Problem.self) {
        while let record = try reader.next() { found.append(record) }
      }
      let before = starts.filter { $0 <= place }.count - 1
      #expect(found == Array(records[..<max(before, 0)]), "byte \(place)")
      if before >= 0 {
        #expect(error?.code == .corrupt)
        #expect(error?.place.byte == Int64(starts[before]))
      }
    }
  }

  @Test("a tail of zero bytes, as left by a crashed file system, counts as torn")
  func blankTail() throws {
    let records = Self.records(3)
    let (bytes, _) = try Self.image(records)
    let reader = JournalReader(bytes: bytes + [UInt8](repeating: 0, count: 500), source: "blank")
    let (found, ending) = try Self.read(reader)
    #expect(found == records)
    #expect(ending == .torn(atOffset: Int64(bytes.count)))
  }

  @Test(
    "each kind of invalid file is rejected with its own error code",
    arguments: [
      ([], Problem.Code.empty), (Array("hello, this is a text file".utf8), .unexpectedContent),
      (Array("STINTJNX".utf8), .unexpectedContent), ([0], .unexpectedContent),
      (JournalFormat.header(version: JournalFormat.version + 1), .version),
      (JournalFormat.header(version: 0), .corrupt),
      (Array(JournalFormat.header.dropLast()) + [0], .corrupt),
    ])
  func refused(bytes: [UInt8], code: Problem.Code) {
    let error = #expect(throws: Problem.self) {
      var reader = JournalReader(bytes: bytes, source: "x.journal")
      _ = try reader.next()
    }
    #expect(error?.code == code)
    #expect(error?.description.hasPrefix("x.journal: ") == true)
    #expect(error?.remedy.isEmpty == false)
  }
}
