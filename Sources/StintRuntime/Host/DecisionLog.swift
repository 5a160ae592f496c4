import StintJournal

/// The running hash of every decision, and how many there were.
struct DecisionLog {
  private(set) var count = 0
  private var hash = SHA256()

  mutating func append(_ line: String) {
    count += 1
    hash.update(line)
    hash.update("\n")
  }

  /// The SHA-256 of all lines so far, each ended by a line feed, in hexadecimal.
  var digest: String { hash.hexadecimal() }
}
