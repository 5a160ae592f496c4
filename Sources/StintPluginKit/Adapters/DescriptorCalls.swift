#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Non-blocking calls on file descriptors that several plugins need.
public enum DescriptorCalls {
  /// The result of a read.
  public enum Outcome: Hashable, Sendable {
    /// The number of bytes read; 0 when no data is available yet.
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

  /// Opens a file or a device node for non-blocking reads. Returns its descriptor, or the `errno` of the
  /// failure.
  public static func open(reading path: String) -> Result<Int32, SystemNumber> {
    DeviceWorker.note("reading", path)
    #if canImport(Glibc)
      let descriptor = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    #elseif canImport(Musl)
      let descriptor = Musl.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    #else
      let descriptor = Darwin.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    #endif
    return descriptor >= 0 ? .success(descriptor) : .failure(SystemNumber(errno))
  }

  /// Reads the available bytes, at most `buffer.count`, into the buffer.
  public static func read(_ descriptor: Int32, into buffer: inout [UInt8]) -> Outcome {
    #if canImport(Glibc)
      let count = Glibc.read(descriptor, &buffer, buffer.count)
    #elseif canImport(Musl)
      let count = Musl.read(descriptor, &buffer, buffer.count)
    #else
      let count = Darwin.read(descriptor, &buffer, buffer.count)
    #endif
    if count > 0 { return .some(count) }
    if count == 0 { return .ended }
    return [EAGAIN, EWOULDBLOCK, EINTR].contains(errno) ? .some(0) : .failed(errno)
  }

  /// Closes a descriptor.
  public static func close(_ descriptor: Int32) {
    #if canImport(Glibc)
      _ = Glibc.close(descriptor)
    #elseif canImport(Musl)
      _ = Musl.close(descriptor)
    #else
      _ = Darwin.close(descriptor)
    #endif
  }
}
