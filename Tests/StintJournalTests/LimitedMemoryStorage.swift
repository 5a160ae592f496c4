import StintUnits

@testable import StintJournal

/// A disk in memory with a limited and adjustable capacity. Only the thread of its test uses it.
final class LimitedMemoryStorage: JournalStorage, @unchecked Sendable {
  let path = "disk.journal"
  private(set) var bytes: [UInt8] = []
  /// The capacity in bytes.
  var capacity: Int
  /// When true, truncating the file fails, as on a full disk.
  var refusesTruncation = false
  /// The number of calls of `append`.
  private(set) var attempts = 0

  init(capacity: Int) { self.capacity = capacity }

  func append(_ more: UnsafeRawBufferPointer, at offset: Int64) throws(Problem) {
    attempts += 1
    let free = max(capacity - bytes.count, 0)
    bytes += more.prefix(free)
    if more.count > free { throw full }
  }

  func truncate(to length: Int64) throws(Problem) {
    if refusesTruncation { throw full }
    bytes.removeSubrange(min(Int(length), bytes.count)...)
  }

  func synchronize() throws(Problem) {}

  private var full: Problem {
    Problem(.full, place: path, cause: "the disk is full", remedy: "free some space")
  }
}
