import StintUnits
import Testing

@testable import StintJournal

@Suite("Journal of a process that was killed")
struct KillTests {
  @Test(
    "a process killed at any written byte loses no acknowledged record, and its journal can be continued"
  )
  func everyByte() throws {
    let records = JournalTests.records(40, seed: 9)
    let disk = LimitedMemoryStorage(capacity: .max)
    let writer = try JournalWriter(fresh: disk, droppedBytes: 0)
    // For each length of the file, the number of records acknowledged at that length.
    var acknowledged = [(length: disk.bytes.count, records: 0)]
    for (index, record) in records.enumerated() {
      try writer.append(record)
      if index % 3 == 2 {
        try writer.synchronize()
        acknowledged.append((disk.bytes.count, index + 1))
      }
    }
    for cut in 16...disk.bytes.count {
      let safe = acknowledged.last { $0.length <= cut }?.records ?? 0
      let (found, _) = try JournalTests.read(JournalReader(bytes: Array(disk.bytes[..<cut]), source: "cut"))
      #expect(found.count >= safe && found == Array(records[..<found.count]), "killed at byte \(cut)")
    }
    for cut in stride(from: 1, to: disk.bytes.count, by: 97) {
      let file = TemporaryFile(Array(disk.bytes[..<cut]))
      let next = try JournalWriter(continuing: file.path)
      try next.append(records[0])
      try next.flush()
      let (found, ending) = try JournalTests.read(JournalReader(path: file.path))
      #expect(ending == .whole && found.last == records[0] && found.count > 0)
    }
  }
}
