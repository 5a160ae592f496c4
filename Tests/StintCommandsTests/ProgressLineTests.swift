import StintModel
import StintRuntime
import StintUnits
import Testing

@testable import StintCommands

/// Tests of `ProgressLine`, with a terminal that records its output and a clock that the test advances.
@Suite struct ProgressLineTests {
  private final class Terminal: Sendable {
    let written = Locked("")
    let now = Locked(MonotonicInstant(nanoseconds: 0))

    func console(columns: Int? = 80, isTerminal: Bool = true) -> Console {
      let write: @Sendable (String) -> Void = { text in self.written.withLock { $0 += text } }
      return Console(
        logColumns: columns, writeResult: write, writeLog: write,
        writeProgress: isTerminal ? write : nil)
    }

    func line(_ console: Console) -> ProgressLine {
      ProgressLine("simulating", on: console, clock: { self.now.withLock { $0 } })
    }

    func pass(_ span: TimeSpan) { now.withLock { $0 = $0 + span } }

    /// The output since the last read; the sequence that erases a line is shown as `|`.
    var news: String {
      written.withLock { text in
        defer { text = "" }
        return text.replacing("\r\u{1B}[K", with: "|")
      }
    }
  }

  @Test("a progress line is not drawn in the first second, and later at most five times a second")
  func pace() {
    let terminal = Terminal()
    let line = terminal.line(terminal.console())
    terminal.pass(.milliseconds(999))
    line.update(0.1)
    #expect(terminal.news == "")
    terminal.pass(.milliseconds(1))
    line.update(0.25)
    #expect(terminal.news == "|simulating: 25 %, 1 s so far, about 3 s left")
    terminal.pass(.milliseconds(199))
    line.update(0.3)
    #expect(terminal.news == "")
    terminal.pass(.seconds(300))
    line.update(0.5, "the first run")
    #expect(terminal.news == "|simulating: the first run, 50 %, 5 min so far, about 5 min left")
    terminal.pass(.hours(3))
    line.update(nil, "of at most 64 settings")
    #expect(terminal.news == "|simulating: of at most 64 settings, 3 h 5 min so far")
  }

  @Test("a progress line is erased before any other output, and at the end")
  func erased() {
    let terminal = Terminal()
    let console = terminal.console()
    let line = terminal.line(console)
    console.log("begins")
    line.end()
    #expect(terminal.news == "begins\n")
    terminal.pass(.seconds(2))
    for write in [{ console.log("news") }, { console.result("news") }, { line.end() }] {
      line.update(2)
      _ = terminal.news
      write()
      #expect(terminal.news.hasPrefix("|"))
      terminal.pass(.seconds(1))
    }
    #expect(terminal.news == "")
  }

  @Test("a progress line is cut at the terminal's width, and is not drawn without a terminal")
  func room() {
    let narrow = Terminal()
    let line = narrow.line(narrow.console(columns: 40))
    narrow.pass(.seconds(2))
    line.update(0.5, String(repeating: "x", count: 100))
    #expect(narrow.news.count == 40)
    let pipe = Terminal()
    let silent = pipe.line(pipe.console(isTerminal: false))
    pipe.pass(.seconds(2))
    silent.update(0.5)
    silent.end()
    #expect(pipe.news == "")
  }
}
