import StintJournal

/// The number of lines in the decision log, and the hash of all these lines.
struct DecisionLog {
  private(set) var count = 0
  private var hash = SHA256()

  mutating func append(_ line: String) {
    count += 1
    hash.update(line)
    hash.update("\n")
  }

  /// The SHA-256 of all lines until now in hexadecimal. Each line ends with a line feed.
  var digest: String { hash.hexadecimal() }
}
