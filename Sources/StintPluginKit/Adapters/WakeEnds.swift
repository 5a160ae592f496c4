#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A pipe that ends a `poll`: a write to one end wakes the thread that waits for the other. May be used from
/// any thread.
public final class WakeEnds: Sendable {
  /// Readable after `wake`, until `drain`.
  public let readEnd: Int32
  private let writeEnd: Int32

  /// Nil when the system has no descriptors left; `errno` says so.
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

  /// Ends the wait that is going on, or the next one.
  public func wake() {
    var byte: UInt8 = 0
    // A pipe that is full wakes as well.
    _ = write(writeEnd, &byte, 1)
  }

  /// Takes back what was written.
  public func drain() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(readEnd, &bytes, bytes.count) == bytes.count {}
  }
}
