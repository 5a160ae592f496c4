import StintSystem
public import StintUnits

/// Non-blocking calls on file descriptors, for several plugins.
public enum DescriptorCalls {
  /// The result of a read.
  public enum Outcome: Hashable, Sendable {
    /// The number of bytes that were read; 0 when no data is available yet.
    case some(Int)
    /// The end of the file or stream.
    case ended
    /// The `errno` of the failed read.
    case failed(Int32)
  }

  /// Returns the system's message for an `errno`.
  public static func reason(_ number: Int32) -> String {
    strerror(number).map { String(cString: $0) } ?? "error \(number)"
  }

  /// True when the system dropped messages because their reader was too slow (`ENOBUFS`).
  public static func isOverrun(_ number: Int32) -> Bool { number == ENOBUFS }

  /// Returns the problem of a failed call on a file.
  static func problem(_ number: Int32, _ file: String) -> Problem {
    let isGone = [ENOENT, ENODEV, ENXIO, ENOTDIR].contains(number)
    return Problem(isGone ? .absent : .refused, place: file, cause: reason(number))
  }

  /// Opens a file or a device node for non-blocking reads.
  ///
  /// - Returns: the descriptor.
  /// - Throws: `absent` when the file or its device does not exist; `refused` for every other failure.
  public static func open(reading path: String) throws(Problem) -> Int32 {
    DeviceWorker.note("reading", path)
    let descriptor = StintSystem.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw problem(errno, path) }
    return descriptor
  }

  /// Reads the available bytes, at most `buffer.count`, into the buffer.
  public static func read(_ descriptor: Int32, into buffer: inout [UInt8]) -> Outcome {
    let count = StintSystem.read(descriptor, &buffer, buffer.count)
    if count > 0 { return .some(count) }
    if count == 0 { return .ended }
    return [EAGAIN, EWOULDBLOCK, EINTR].contains(errno) ? .some(0) : .failed(errno)
  }

  /// Closes a descriptor.
  public static func close(_ descriptor: Int32) {
    _ = StintSystem.close(descriptor)
  }
}
