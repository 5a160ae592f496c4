import StintModel
import StintRuntime
import StintSystem
import StintTools

/// The console of the process: standard output and standard error.
///
/// A closed reader (`stint sim | head`) is not an error: further output is dropped silently. For a daemon, a
/// closed reader is an error, because the decisions of the rest of the run are lost. Any other error of a
/// write to standard output is recorded for `reportLoss()`. Errors of standard error are not recorded.
final class SystemConsole: Sendable {
  private let failure = Locked<String?>(nil)
  /// The descriptors whose further output is dropped. Either a write to standard output failed, or the
  /// process must end and the reader does not read.
  private let unread = Locked<Set<Int32>>([])
  /// True after a daemon has written output. A daemon does not wait for the reader of its output.
  private let isDaemon = Locked(false)
  /// The number of lines that a running daemon did not write because an earlier write failed.
  private let lost = Locked(0)
  /// By descriptor: daemon output that is not yet written because the reader is slow.
  private let backlogs = Locked<[Int32: OutputBacklog]>([:])
  /// The output of a running daemon to regular files.
  private let files = FileOutput(writeBytes)
  /// For standard output and standard error on a terminal: a second descriptor of the terminal, in
  /// non-blocking mode. The mode of the original descriptor is shared with other programs of the terminal.
  private let terminals: [Int32: Int32]
  /// The standard output and standard error descriptors whose writes can block although the system reports
  /// space. These are regular files, and terminals that cannot be opened again.
  private let regular: Set<Int32>

  init() {
    var terminals: [Int32: Int32] = [:]
    var regular: Set<Int32> = []
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
      if FileOutput.isFile(descriptor) {
        regular.insert(descriptor)
      } else if isatty(descriptor) == 1 {
        let again = open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        if again >= 0 { terminals[descriptor] = again } else { regular.insert(descriptor) }
      }
    }
    (self.terminals, self.regular) = (terminals, regular)
  }

  /// The console, with colours on terminals unless `NO_COLOR` is set.
  var console: Console {
    // A write to a closed reader must not end the process by a signal.
    _ = signal(SIGPIPE, SIG_IGN)
    // A write beyond the system's file size limit must not end the process either; `write` reports the error.
    _ = signal(SIGXFSZ, SIG_IGN)
    let drawing: @Sendable (String) -> Void = { self.put($0, to: STDERR_FILENO) }
    return Console(
      resultPaint: Self.paint(for: STDOUT_FILENO), logPaint: Self.paint(for: STDERR_FILENO),
      resultColumns: Self.columns(of: STDOUT_FILENO), logColumns: Self.columns(of: STDERR_FILENO),
      writeResult: { self.write($0, to: STDOUT_FILENO) }, writeLog: { self.write($0, to: STDERR_FILENO) },
      nonBlocking: (
        result: { self.offer($0, to: STDOUT_FILENO) }, log: { self.offer($0, to: STDERR_FILENO) },
        dropped: { self.dropped }
      ),
      writeProgress: Self.showsProgress ? drawing : nil,
      isReaderOpen: { !self.isUnread(STDOUT_FILENO) })
  }

  /// Waits until the output to files is written, and logs why results were lost. Returns false when no
  /// results were lost.
  func reportLoss() -> Bool {
    _ = files.finish()
    guard let reason = failure.withLock({ $0 }) else { return false }
    console.complain("standard output: \(reason)", hint: "results were lost; write them elsewhere")
    return true
  }

  /// True when the terminal for log messages can redraw a line.
  private static var showsProgress: Bool { isatty(STDERR_FILENO) == 1 && variable("TERM") != "dumb" }

  private static func paint(for descriptor: Int32) -> Paint {
    let isWanted = isEmpty("NO_COLOR") && variable("TERM") != "dumb"
    return isatty(descriptor) == 1 && isWanted ? .colours : .plain
  }

  /// Returns the width of a terminal in columns: `COLUMNS`, or its window's width, or 80. Nil for a
  /// descriptor that is not a terminal.
  private static func columns(of descriptor: Int32) -> Int? {
    guard isatty(descriptor) == 1 else { return nil }
    var window = winsize()
    let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0 && window.ws_col > 0
    let columns = variable("COLUMNS").flatMap { Int($0) } ?? (isKnown ? Int(window.ws_col) : 80)
    // In a very narrow window, wrapping at every word is worse than lines that are too long.
    return max(columns, 40)
  }

  private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  private static func isEmpty(_ name: String) -> Bool { variable(name)?.isEmpty ?? true }

  private func isUnread(_ descriptor: Int32) -> Bool { unread.withLock { $0.contains(descriptor) } }

  private func write(_ text: String, to descriptor: Int32) {
    put(Self.shown(text, on: descriptor), to: descriptor)
  }

  /// Returns the text for a descriptor. Data for files and pipes is unchanged. Log messages and terminals get
  /// no control sequences from untrusted input.
  private static func shown(_ text: String, on descriptor: Int32) -> String {
    descriptor == STDERR_FILENO || isatty(descriptor) == 1 ? TerminalText.safe(text) : text
  }

  /// The number of lines dropped since the start.
  private var dropped: Int {
    backlogs.withLock { $0.values.map(\.allDropped).reduce(files.dropped, +) } + lost.withLock { $0 }
  }

  /// Writes lines without waiting. While the reader does not read, further lines are dropped and counted.
  private func offer(_ text: String, to descriptor: Int32) {
    isDaemon.withLock { $0 = true }
    if isUnread(descriptor) { return countLost(text) }
    if regular.contains(descriptor) {
      if let number = files.offer(Self.shown(text, on: descriptor), to: descriptor) {
        recordFailure(number, descriptor)
        countLost(text)
      }
      return
    }
    let number = backlogs.withLock { backlogs in
      backlogs[descriptor, default: OutputBacklog()].offer(Self.shown(text, on: descriptor)) { piece in
        OutputSpace.isFree(descriptor) ? writeNow(descriptor, piece) : nil
      }
    }
    if let number {
      recordFailure(number, descriptor)
      countLost(text)
    }
  }

  private func countLost(_ text: String) { lost.withLock { $0 += text.utf8.count { $0 == 0x0A } } }

  /// Writes the output that waits, and then a text, both unchanged. Waits for the reader.
  private func put(_ text: String, to descriptor: Int32) {
    if isUnread(descriptor) { return }
    if !files.finish() {
      dropFurtherOutput(descriptor)
      return
    }
    let earlier = backlogs.withLock { $0[descriptor]?.drain() } ?? []
    var rest = (earlier + Array(text.utf8))[...]
    var refusals = 0
    while !rest.isEmpty {
      guard OutputSpace.wait(for: descriptor) else {
        dropFurtherOutput(descriptor)
        return
      }
      let count = rest.prefix(OutputSpace.piece).withUnsafeBytes { writeNow(descriptor, $0) }
      if let count, count >= 0 {
        rest = rest.dropFirst(count)
        refusals = 0
      } else if count == nil {
        // A terminal can report space and accept nothing. Do not wait for its reader when the run ends.
        refusals += 1
        guard refusals < Self.maxRefusals || !OutputSpace.isEnding else {
          dropFurtherOutput(descriptor)
          return
        }
        usleep(Self.refusalPause)
      } else if errno != EINTR {
        recordFailure(errno, descriptor)
        return
      }
    }
  }

  /// A run that ends drops its output after this number of consecutive refused writes to a terminal. The
  /// second value is the pause after each refusal in microseconds. Both values together limit the wait to 300
  /// ms.
  private static let maxRefusals = 30
  private static let refusalPause: UInt32 = 10_000

  /// Writes some bytes. Returns their number, nil when a terminal accepts no bytes now, and a negative number
  /// on an error.
  private func writeNow(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int? {
    let count = writeBytes(terminals[descriptor] ?? descriptor, bytes)
    return count < 0 && errno == EAGAIN && terminals[descriptor] != nil ? nil : count
  }

  /// Drops further output: the reader does not read, and the process must end.
  private func dropFurtherOutput(_ descriptor: Int32) {
    unread.withLock { _ = $0.insert(descriptor) }
    if descriptor == STDOUT_FILENO { failure.withLock { $0 = "the reader did not read all output" } }
  }

  private func recordFailure(_ number: Int32, _ descriptor: Int32) {
    guard descriptor == STDOUT_FILENO else { return }
    unread.withLock { _ = $0.insert(descriptor) }
    if number == EPIPE {
      if isDaemon.withLock({ $0 }) {
        failure.withLock { $0 = "the program that reads this output has ended" }
      }
    } else {
      failure.withLock { $0 = strerror(number).map { String(cString: $0) } ?? "error \(number)" }
    }
  }
}

private func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}
