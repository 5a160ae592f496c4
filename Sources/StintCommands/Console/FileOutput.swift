import StintModel
import StintRuntime
import StintSystem

/// Output to regular files, which a thread writes in the order of the calls. A slow disk therefore does not
/// delay a daemon.
///
/// While 256 KiB or more wait to be written, further lines are dropped and counted. Before the next accepted
/// lines, a notice states the number of dropped lines.
final class FileOutput: Sendable {
  private static let limit = 256 << 10
  /// The maximum wait for the file at the end of the process, in milliseconds.
  private static let timeoutMilliseconds = 2000

  private struct State {
    var waiting: [(descriptor: Int32, bytes: [UInt8])] = []
    /// The number of bytes in `waiting`.
    var count = 0
    var dropped = 0
    var isWriting = false
    /// The number of lines dropped since the start.
    var allDropped = 0
    /// True after the waiting lines could not be written within `timeoutMilliseconds`.
    var isGivenUp = false
    /// The `errno` of the last failed write; nil when no write has failed.
    var failure: Int32?
  }

  private let state = Locked(State())
  private let thread = SerialThread(isLasting: false)
  private let write: @Sendable (Int32, UnsafeRawBufferPointer) -> Int

  /// - Parameter write: writes some bytes to a descriptor; returns their number, or -1 with `errno` set. It
  ///   may block.
  init(_ write: @escaping @Sendable (Int32, UnsafeRawBufferPointer) -> Int) { self.write = write }

  static func isFile(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// The number of lines dropped since the start, because too many bytes waited to be written.
  var dropped: Int { state.withLock { $0.allDropped } }

  /// Adds complete lines without waiting. Returns the `errno` of an earlier failed write; nil when no write
  /// has failed.
  func offer(_ text: String, to descriptor: Int32) -> Int32? {
    let (mustStart, failure) = state.withLock { state -> (Bool, Int32?) in
      guard state.count < Self.limit else {
        let lines = text.utf8.count { $0 == UInt8(ascii: "\n") }
        state.dropped += lines
        state.allDropped += lines
        return (false, state.failure)
      }
      let bytes = (state.dropped > 0 ? OutputBacklog.notice(of: state.dropped) : []) + Array(text.utf8)
      state.dropped = 0
      state.count += bytes.count
      if state.waiting.last?.descriptor == descriptor {
        state.waiting[state.waiting.count - 1].bytes += bytes
      } else {
        state.waiting.append((descriptor, bytes))
      }
      defer { state.isWriting = true }
      return (!state.isWriting, state.failure)
    }
    if mustStart { thread.run { [self] in work() } }
    return failure
  }

  /// Waits until all lines are written or their writes have failed. Returns false when this takes more than
  /// two seconds.
  func finish() -> Bool {
    // After one call has waited too long, later calls do not wait.
    let timeoutMilliseconds = state.withLock { $0.isGivenUp } ? 1 : Self.timeoutMilliseconds
    for _ in 0..<timeoutMilliseconds {
      guard state.withLock({ $0.isWriting }) else { return true }
      usleep(1000)
    }
    state.withLock { $0.isGivenUp = true }
    return false
  }

  private func work() {
    while true {
      let pieces = state.withLock { state -> [(descriptor: Int32, bytes: [UInt8])] in
        state.isWriting = !state.waiting.isEmpty
        defer { (state.waiting, state.count) = ([], 0) }
        return state.waiting
      }
      if pieces.isEmpty { return }
      for piece in pieces { writeAll(piece.bytes, to: piece.descriptor) }
    }
  }

  private func writeAll(_ bytes: [UInt8], to descriptor: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        let number = errno
        state.withLock { $0.failure = number }
        return
      }
    }
  }
}
