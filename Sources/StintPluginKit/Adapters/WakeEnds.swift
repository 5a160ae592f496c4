import StintSystem

/// A pipe that interrupts a `poll`: a write to one end wakes the thread that polls the other end. May be used
/// from any thread.
public final class WakeEnds: Sendable {
  /// The descriptor to poll: readable from `wake()` until `drain()`.
  public let readEnd: Int32
  private let writeEnd: Int32

  /// Makes a pipe.
  ///
  /// - Returns: nil when the system has no descriptors left; `errno` has the reason.
  public init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    readEnd = ends[0]
    writeEnd = ends[1]
  }

  deinit {
    DescriptorCalls.close(readEnd)
    DescriptorCalls.close(writeEnd)
  }

  /// Ends the current wait, or the next wait when no thread waits.
  public func wake() {
    var byte: UInt8 = 0
    // A full pipe is readable already, so a failed write loses no wake-up.
    _ = write(writeEnd, &byte, 1)
  }

  /// Empties the pipe, so that the next wait blocks again.
  public func drain() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(readEnd, &bytes, bytes.count) == bytes.count {}
  }
}
