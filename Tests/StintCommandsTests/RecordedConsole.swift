import StintModel
import StintTools

@testable import StintCommands

/// A console that keeps what is written.
final class RecordedConsole: Sendable {
  private let kept = Locked((results: "", talk: ""))

  var console: Console {
    Console(
      writeResult: { text in self.kept.withLock { $0.results += text } },
      writeTalk: { text in self.kept.withLock { $0.talk += text } })
  }

  var results: String { kept.withLock { $0.results } }
  var talk: String { kept.withLock { $0.talk } }
}
