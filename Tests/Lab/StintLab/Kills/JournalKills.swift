import StintJournal
import StintUnits

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A process that writes a journal, and the test that kills it at random instants.
enum JournalKills {
  /// Appends to the journal until the process is killed. Each round appends up to 59 records, synchronizes,
  /// and writes the total number of records to standard output as a `UInt64`.
  static func run(_ path: String) -> Never {
    do {
      var number = try count(path).found
      let writer = try JournalWriter(continuing: path, limit: nil)
      var random = Random(state: UInt64(number) &+ 1)
      while true {
        for _ in 0..<random.below(60) {
          try writer.append(kind: 1, at: Instant(nanoseconds: Int64(number)), payload(number))
          number += 1
        }
        try writer.synchronize()
        acknowledge(number)
      }
    } catch {
      fatalError("\(error)")
    }
  }

  static func payload(_ number: Int) -> [UInt8] {
    var random = Random(state: UInt64(number))
    return (0..<random.below(400)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }

  private static func acknowledge(_ number: Int) {
    var value = UInt64(number)
    guard write(STDOUT_FILENO, &value, 8) == 8 else { exit(0) }
  }

  /// Counts the complete records of a journal. Ends the process when the instant or the payload of a record
  /// does not belong to the record's number.
  static func count(_ path: String) throws -> (found: Int, isTorn: Bool) {
    var reader = try JournalReader(path: path)
    var number = 0
    while let record = try reader.next() {
      guard record.instant.nanoseconds == Int64(number), record.payload == payload(number) else {
        fatalError("record \(number) differs from the written record")
      }
      number += 1
    }
    return (number, reader.ending != .whole)
  }

  static func kill(_ count: Int, program: String, folder: String) {
    var random = Random(state: 42)
    let path = folder + "/kills.journal"
    var (torn, acknowledgements, most, safeInAll) = (0, 0, 0, 0)
    do {
      for round in 0..<count {
        // Starts a new journal every 50 rounds, so that kills also hit the start of a journal.
        if round % 50 == 0 {
          unlink(path)
          _ = try JournalWriter(creating: path)
          safeInAll = 0
        }
        let child = KillableChild([program, "kills", "writer", path], readsOutput: true)
        usleep(UInt32(random.below(12_000)))
        child.kill()
        let acknowledged = child.numbers
        acknowledgements += acknowledged.count
        let safe = max(acknowledged.last.map(Int.init) ?? 0, safeInAll)
        let (found, isTorn) = try Self.count(path)
        if found < safe {
          fatalError("round \(round): \(safe) records were acknowledged, \(found) were found")
        }
        most = max(most, found - safe)
        safeInAll = safe
        if isTorn { torn += 1 }
      }
    } catch {
      fatalError("\(error)")
    }
    print(
      "killed writers: \(count); acknowledgements: \(acknowledgements), lost acknowledged records: 0, "
        + "recovered torn tails: \(torn), most records beyond the last acknowledgement: \(most)")
  }
}
