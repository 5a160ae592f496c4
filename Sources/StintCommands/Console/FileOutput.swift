import StintModel
import StintRuntime
import StintSystem

/// Output to a regular file, which a thread writes. So a slow disk delays nothing in a daemon.
///
/// While more than 256 KiB wait, further lines are dropped and counted. The next lines follow a line with
/// their number.
final class FileOutput: Sendable {
  private static let limit = 256 << 10
  /// The maximum wait for the file at the end of the process, in milliseconds.
  private static let patience = 2000

  private struct State {
    var waiting: [UInt8] = []
    var dropped = 0
    var isWriting = false
    /// The number of the last error; nil for none.
    var failure: Int32?
  }

  private let state = Locked(State())
  private let thread = SerialThread()
  private let write: @Sendable (UnsafeRawBufferPointer) -> Int

  /// - Parameter write: writes some bytes; returns their number, or -1 with `errno` set. It may block.
  init(_ write: @escaping @Sendable (UnsafeRawBufferPointer) -> Int) { self.write = write }

  /// Returns whether the descriptor is a regular file.
  static func isFile(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Adds complete lines without waiting. Returns the number of an earlier error; nil for none.
  func offer(_ text: String) -> Int32? {
    let (mustStart, failure) = state.withLock { state -> (Bool, Int32?) in
      guard state.waiting.count < Self.limit else {
        state.dropped += text.utf8.count { $0 == UInt8(ascii: "\n") }
        return (false, state.failure)
      }
      if state.dropped > 0 { state.waiting += OutputBacklog.notice(of: state.dropped) }
      state.dropped = 0
      state.waiting += Array(text.utf8)
      defer { state.isWriting = true }
      return (!state.isWriting, state.failure)
    }
    if mustStart { thread.run { [self] in work() } }
    return failure
  }

  /// Waits until all lines are in the file. Returns false when the file does not answer within two seconds.
  func finish() -> Bool {
    for _ in 0..<Self.patience {
      guard state.withLock({ $0.isWriting }) else { return true }
      usleep(1000)
    }
    return false
  }

  private func work() {
    while true {
      let bytes = state.withLock { state -> [UInt8] in
        defer { state.waiting = [] }
        state.isWriting = !state.waiting.isEmpty
        return state.waiting
      }
      if bytes.isEmpty { return }
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes(write)
        if count >= 0 {
          rest = rest.dropFirst(count)
        } else if errno != EINTR {
          let number = errno
          state.withLock { $0.failure = number }
          rest = []
        }
      }
    }
  }
}
