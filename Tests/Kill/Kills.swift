import StintJournal
import StintUnits

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Kills a process that journals, at random instants, and looks at what it leaves: `Kills COUNT FOLDER [STINT POLICY]`.
///
/// First a writer that says, after each synchronization, how many records are safe: each of those must be in the
/// journal afterwards, and the next writer goes on behind them. Then, where a program is named, `stint run`: its journal
/// must replay to the same decisions as far as it goes.
@main
enum Kills {
  static func main() {
    let words = CommandLine.arguments
    if words.count == 3, words[1] == "write" { Writer.run(words[2]) }
    guard words.count == 3 || words.count == 5, let count = Int(words[1]) else {
      fatalError("usage: Kills COUNT FOLDER [STINT POLICY]")
    }
    Writer.kill(count, program: words[0], folder: words[2])
    if words.count == 5 { Daemon.kill(count, program: words[3], policy: words[4], folder: words[2]) }
  }
}

/// The writer and those who kill it.
enum Writer {
  /// Goes on with the journal for ever: some records, a synchronization, the number of records on standard output.
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
        say(number)
      }
    } catch {
      fatalError("\(error)")
    }
  }

  /// What the record of a number holds.
  static func payload(_ number: Int) -> [UInt8] {
    var random = Random(state: UInt64(number))
    return (0..<random.below(400)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }

  private static func say(_ number: Int) {
    var value = UInt64(number)
    guard write(STDOUT_FILENO, &value, 8) == 8 else { exit(0) }
  }

  /// How many records a journal holds; each must be what its number says.
  static func count(_ path: String) throws -> (found: Int, isTorn: Bool) {
    var reader = try JournalReader(path: path)
    var number = 0
    while let record = try reader.next() {
      guard record.instant.nanoseconds == Int64(number), record.payload == payload(number) else {
        fatalError("record \(number) is not what was written")
      }
      number += 1
    }
    return (number, reader.ending != .whole)
  }

  static func kill(_ count: Int, program: String, folder: String) {
    var random = Random(state: 42)
    let path = folder + "/kills.journal"
    var (torn, lines, most, safeInAll) = (0, 0, 0, 0)
    do {
      for round in 0..<count {
        // A new journal now and then, so that its beginning is hit too.
        if round % 50 == 0 {
          unlink(path)
          _ = try JournalWriter(creating: path)
          safeInAll = 0
        }
        let child = Child([program, "write", path], readsOutput: true)
        usleep(UInt32(random.below(12_000)))
        child.kill()
        let acknowledged = child.numbers
        lines += acknowledged.count
        let safe = max(acknowledged.last.map(Int.init) ?? 0, safeInAll)
        let (found, isTorn) = try Self.count(path)
        if found < safe {
          fatalError("round \(round): \(safe) records were acknowledged, \(found) are there")
        }
        most = max(most, found - safe)
        safeInAll = safe
        if isTorn { torn += 1 }
      }
    } catch {
      fatalError("\(error)")
    }
    print(
      "\(count) writers killed: \(lines) acknowledgements, no acknowledged record lost, \(torn) torn tails recovered, "
        + "at most \(most) records beyond the last acknowledgement")
  }
}

/// `stint run`, killed.
enum Daemon {
  static func kill(_ count: Int, program: String, policy: String, folder: String) {
    var random = Random(state: 7)
    var (torn, early, longest) = (0, 0, 0)
    for round in 0..<count {
      let path = folder + "/run.journal"
      unlink(path)
      let child = Child(
        [
          program, "run", "--policies", policy, "--simulate", "day-hike", "--speed", "1000000", "--quiet",
          "--journal",
          path,
        ], readsOutput: false)
      usleep(UInt32(8_000 + random.below(40_000)))
      child.kill()
      do {
        let ending = try JournalReader(path: path).scanned()
        if ending.records < 2 {
          // Not even the world was written: nothing had been decided yet.
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
      let replay = Child([program, "replay", path, "--json"], readsOutput: true)
      guard replay.code == 0 else {
        fatalError("round \(round): stint replay ended with \(replay.code ?? -1)")
      }
    }
    print(
      "\(count) runs killed: \(count - early) journals replayed to the same decisions, \(torn) of them torn, \(early) "
        + "killed before the first record, the longest with \(longest) records")
  }
}

extension JournalReader {
  /// How many whole records there are, and whether a torn one follows.
  fileprivate func scanned() throws(JournalError) -> (records: Int, isTorn: Bool) {
    var (reader, count) = (self, 0)
    while try reader.next() != nil { count += 1 }
    return (count, reader.ending != .whole)
  }
}

/// A process of one's own.
struct Child {
  private let id: pid_t
  private let output: Int32

  init(_ words: [String], readsOutput: Bool) {
    var pipes: [Int32] = [0, 0]
    guard pipe(&pipes) == 0 else { fatalError("pipe") }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    if readsOutput { posix_spawn_file_actions_adddup2(&actions, pipes[1], 1) }
    posix_spawn_file_actions_addclose(&actions, pipes[0])
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    arguments.append(nil)
    defer { for argument in arguments { free(argument) } }
    var id: pid_t = 0
    guard posix_spawn(&id, words[0], &actions, nil, arguments, environ) == 0 else {
      fatalError("posix_spawn")
    }
    close(pipes[1])
    self.id = id
    output = pipes[0]
  }

  /// Ends it as loss of power would: nothing of it runs any more.
  func kill() {
    _ = Glibc.kill(id, SIGKILL)
    var status: Int32 = 0
    waitpid(id, &status, 0)
  }

  /// The numbers that it wrote; closes its output.
  var numbers: [UInt64] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(output, &buffer, buffer.count)
      if count <= 0 { break }
      bytes += buffer[..<count]
    }
    close(output)
    return stride(from: 0, to: bytes.count / 8 * 8, by: 8).map { start in
      bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start, as: UInt64.self) }
    }
  }

  /// Waits for its end; nil when it was killed.
  var code: Int32? {
    _ = numbers
    var status: Int32 = 0
    guard waitpid(id, &status, 0) == id, status & 0x7F == 0 else { return nil }
    return status >> 8 & 0xFF
  }
}

/// Numbers that look like chance.
struct Random {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }

  mutating func below(_ limit: UInt64) -> UInt64 { next() % limit }
}
