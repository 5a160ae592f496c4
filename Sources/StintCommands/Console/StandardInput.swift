#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The input of the process, piece by piece as it arrives.
struct StandardInput {
  private var buffer = [UInt8](repeating: 0, count: 64 << 10)

  /// What has arrived, at least one byte; waits for it. Nil once the input has ended.
  mutating func next() -> ArraySlice<UInt8>? {
    while true {
      let count = readBytes(STDIN_FILENO, &buffer)
      if count < 0, errno == EINTR { continue }
      return count > 0 ? buffer[..<count] : nil
    }
  }

  /// Whether something can be read without waiting, be it the end.
  var isWaiting: Bool {
    var request = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, 0) > 0
  }
}

private func readBytes(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
  read(descriptor, &buffer, buffer.count)
}
