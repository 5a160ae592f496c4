import StintModel

/// Records words in the order of their arrival.
final class Recorder: Sendable {
  private let words = Locked<[String]>([])

  func note(_ word: String) { words.withLock { $0.append(word) } }

  var all: [String] { words.withLock { $0 } }
}
