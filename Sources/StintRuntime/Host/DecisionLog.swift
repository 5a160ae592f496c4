import StintJournal

/// The number of lines in the decision log, and the hash of all these lines.
package struct DecisionLog {
  package private(set) var count = 0
  private var hash = SHA256()

  package init() {}

  package mutating func append(_ line: String) {
    count += 1
    hash.update(line)
    hash.update("\n")
  }

  /// The SHA-256 of all lines until now in hexadecimal. Each line ends with a line feed.
  package var digest: String { hash.hexadecimal() }
}
