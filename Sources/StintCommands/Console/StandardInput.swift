import StintSystem

/// The standard input of the process, read in pieces as they arrive.
struct StandardInput {
  private var buffer = [UInt8](repeating: 0, count: 64 << 10)

  /// Waits for input and returns it, at least one byte. Returns nil at the end of the input, or when the
  /// input cannot be read.
  mutating func next() -> ArraySlice<UInt8>? {
    while true {
      let count = readBytes(STDIN_FILENO, &buffer)
      if count < 0, errno == EINTR { continue }
      return count > 0 ? buffer[..<count] : nil
    }
  }

  /// True when input or the end of the input is available, so that `next()` does not block.
  var hasInput: Bool {
    var request = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, 0) > 0
  }
}

private func readBytes(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
  read(descriptor, &buffer, buffer.count)
}
