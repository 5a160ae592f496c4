import StintJournal
import StintUnits

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Kills `stint run` at random instants. The part of its journal that was written must replay with equal
/// decisions.
enum DaemonKills {
  static func kill(_ count: Int, program: String, policy: String, folder: String) {
    var random = Random(state: 7)
    var (torn, early, longest) = (0, 0, 0)
    for round in 0..<count {
      let path = folder + "/run.journal"
      // The journal has one file for each start of the daemon. Here it contains only the first start.
      let start = path + "/000001"
      unlink(start)
      let child = KillableChild(
        [
          program, "run", "--policies", policy, "--simulate", "day-hike", "--speed", "1000000", "--quiet",
          "--journal",
          path,
        ], readsOutput: false)
      usleep(UInt32(8_000 + random.below(40_000)))
      child.kill()
      do {
        let ending = try JournalReader(path: start).countRecords()
        if ending.records < 2 {
          // The process was killed before it wrote the record with the world of the journal (`JournalWorld`),
          // so it had made no decision.
          early += 1
          continue
        }
        if ending.isTorn { torn += 1 }
        longest = max(longest, ending.records)
      } catch {
        if error.code == .notFound || error.code == .empty {
          early += 1
          continue
        }
        fatalError("round \(round): \(error)")
      }
      let replay = KillableChild([program, "replay", path, "--json"], readsOutput: true)
      guard replay.code == 0 else {
        fatalError("round \(round): stint replay ended with \(replay.code ?? -1)")
      }
    }
    print(
      "killed runs: \(count); journals replayed with equal decisions: \(count - early), "
        + "torn journals: \(torn), records of the longest journal: \(longest); "
        + "runs killed before their first decision: \(early)")
  }
}

extension JournalReader {
  /// Returns the number of complete records, and whether an incomplete record follows.
  fileprivate func countRecords() throws(Problem) -> (records: Int, isTorn: Bool) {
    var (reader, count) = (self, 0)
    while try reader.next() != nil { count += 1 }
    return (count, reader.ending != .whole)
  }
}
