import StintModel
import StintTools

@testable import StintCommands

final class RecordedConsole: Sendable {
  private let kept = Locked((results: "", log: ""))

  var console: Console {
    Console(
      writeResult: { text in self.kept.withLock { $0.results += text } },
      writeLog: { text in self.kept.withLock { $0.log += text } })
  }

  var results: String { kept.withLock { $0.results } }
  var log: String { kept.withLock { $0.log } }
}
