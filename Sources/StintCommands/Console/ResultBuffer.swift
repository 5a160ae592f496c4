import StintSystem

/// Buffers lines of a result. While the buffer is not empty, signals that end the process are blocked, so no
/// line is lost or cut.
struct ResultBuffer {
  private static let limit = 32 << 10

  private let console: Console
  private var text = ""

  init(_ console: Console) { self.console = console }

  mutating func append(_ line: String) {
    if text.isEmpty { Self.setSignalsBlocked(true) }
    text += line
    text += "\n"
    if text.utf8.count >= Self.limit { flush() }
  }

  /// Writes all buffered lines and unblocks the signals.
  mutating func flush() {
    guard !text.isEmpty else { return }
    console.raw(text)
    text.removeAll(keepingCapacity: true)
    Self.setSignalsBlocked(false)
  }

  private static func setSignalsBlocked(_ isBlocked: Bool) {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, number) }
    pthread_sigmask(isBlocked ? SIG_BLOCK : SIG_UNBLOCK, &signals, nil)
  }
}
