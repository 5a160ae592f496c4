import StintModel
import StintRuntime
import StintTools

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The console of the process: standard output and standard error.
///
/// A reader that has gone away (`stint sim | head`) is no error: what would follow is dropped without a word.
/// Any other failure to write is remembered.
final class SystemConsole: Sendable {
  private let failure = Locked<String?>(nil)
  /// The descriptors whose readers have gone, or do not read while the process has to end.
  private let unread = Locked<Set<Int32>>([])

  /// The console, with colours where people look and have not said `NO_COLOR`.
  var console: Console {
    // A reader that leaves must not end the process by a signal.
    _ = signal(SIGPIPE, SIG_IGN)
    // Nor must a file that has reached the size the system allows it: writing says so.
    _ = signal(SIGXFSZ, SIG_IGN)
    let drawing: @Sendable (String) -> Void = { self.put($0, to: STDERR_FILENO) }
    return Console(
      resultPaint: Self.paint(for: STDOUT_FILENO), logPaint: Self.paint(for: STDERR_FILENO),
      resultColumns: Self.columns(of: STDOUT_FILENO), logColumns: Self.columns(of: STDERR_FILENO),
      writeResult: { self.write($0, to: STDOUT_FILENO) }, writeLog: { self.write($0, to: STDERR_FILENO) },
      writeProgress: Self.showsProgress ? drawing : nil,
      hearing: { !self.isUnread(STDOUT_FILENO) })
  }

  /// Says why results were lost; false when none were.
  func reportLoss() -> Bool {
    guard let reason = failure.withLock({ $0 }) else { return false }
    console.complain("standard output: \(reason)", hint: "results were lost; write them elsewhere")
    return true
  }

  /// Whether a line can be drawn again on the terminal that shows talk.
  private static var showsProgress: Bool { isatty(STDERR_FILENO) == 1 && variable("TERM") != "dumb" }

  private static func paint(for descriptor: Int32) -> Paint {
    let isWanted = isEmpty("NO_COLOR") && variable("TERM") != "dumb"
    return isatty(descriptor) == 1 && isWanted ? .colours : .plain
  }

  /// How many columns a terminal has: what `COLUMNS` says, or its window, or 80. Nil for what is no terminal.
  private static func columns(of descriptor: Int32) -> Int? {
    guard isatty(descriptor) == 1 else { return nil }
    var window = winsize()
    let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0 && window.ws_col > 0
    let columns = variable("COLUMNS").flatMap { Int($0) } ?? (isKnown ? Int(window.ws_col) : 80)
    // A window of a few columns shows words one below the other, which is worse than lines that run over.
    return max(columns, 40)
  }

  private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  private static func isEmpty(_ name: String) -> Bool { variable(name)?.isEmpty ?? true }

  private func isUnread(_ descriptor: Int32) -> Bool { unread.withLock { $0.contains(descriptor) } }

  private func write(_ text: String, to descriptor: Int32) {
    // Data in files and pipes stays as it is; talk and terminals get no sequences of other people's.
    let isShown = descriptor == STDERR_FILENO || isatty(descriptor) == 1
    put(isShown ? TerminalText.safe(text) : text, to: descriptor)
  }

  /// Writes a text as it is.
  private func put(_ text: String, to descriptor: Int32) {
    if isUnread(descriptor) { return }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      guard OutputSpace.wait(for: descriptor) else {
        giveUp(descriptor)
        return
      }
      let count = rest.prefix(OutputSpace.piece).withUnsafeBytes { writeBytes(descriptor, $0) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        note(errno, descriptor)
        return
      }
    }
  }

  /// The reader does not read, and the process has to end: what would follow is dropped.
  private func giveUp(_ descriptor: Int32) {
    unread.withLock { _ = $0.insert(descriptor) }
    if descriptor == STDOUT_FILENO { failure.withLock { $0 = "the reader did not read until the end" } }
  }

  private func note(_ number: Int32, _ descriptor: Int32) {
    guard descriptor == STDOUT_FILENO else { return }
    unread.withLock { _ = $0.insert(descriptor) }
    if number != EPIPE {
      failure.withLock { $0 = strerror(number).map { String(cString: $0) } ?? "error \(number)" }
    }
  }
}

private func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}
