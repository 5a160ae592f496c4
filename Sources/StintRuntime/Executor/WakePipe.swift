import StintModel
import StintPluginKit
import StintSystem
import StintUnits

/// A pipe within the process. Bytes written to the write end make the read end readable. Neither end blocks.
final class WakePipe: Sendable {
  let readEnd: Int32
  let writeEnd: Int32
  private let isClosed = Locked(false)

  init() throws(Problem) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .lastCall("pipe") }
    readEnd = ends[0]
    writeEnd = ends[1]
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
  }

  deinit { shut() }

  /// Closes both ends. Later calls do nothing. During the call, no thread may wait for the read end.
  func shut() {
    isClosed.withLock { isClosed in
      guard !isClosed else { return }
      isClosed = true
      close(readEnd)
      close(writeEnd)
    }
  }

  /// Makes the read end readable. Does nothing when the pipe is closed. A full pipe is already readable, so
  /// the byte is dropped.
  func write(_ byte: UInt8 = 0) {
    isClosed.withLock { isClosed in
      if !isClosed { _ = writeSome([byte], to: writeEnd) }
    }
  }

  /// Removes and returns all written bytes in order.
  func drain() -> [UInt8] {
    var drained: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 64)
    while true {
      let count = readSome(readEnd, into: &bytes)
      guard count > 0 else { return drained }
      drained += bytes[..<count]
      if count < bytes.count { return drained }
    }
  }
}
