#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The system calls of a TCP client; only `open` blocks.
enum GpsdSocket {
  /// Returns the system's message for an `errno`.
  static func reason(_ number: Int32) -> String {
    strerror(number).map { String(cString: $0) } ?? "error \(number)"
  }

  /// Resolves the host and tries its addresses one after another until a connection is established.
  ///
  /// The time limit applies to each address. An attempt also ends when `waker` becomes readable. Neither the
  /// time limit nor `waker` ends the resolution of the host.
  static func open(
    host: String, port: Int, milliseconds: Int32, waker: Int32
  ) -> Result<Int32, GpsdFault> {
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    #if canImport(Glibc)
      hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    #else
      hints.ai_socktype = SOCK_STREAM
    #endif
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, String(port), &hints, &list)
    guard code == 0, let first = list else {
      return .failure(GpsdFault("cannot resolve “\(host)”: \(String(cString: gai_strerror(code)))"))
    }
    defer { freeaddrinfo(first) }
    var last = GpsdFault("“\(host)” has no address")
    var next: UnsafeMutablePointer<addrinfo>? = first
    while let entry = next {
      switch connect(entry.pointee, milliseconds: milliseconds, waker: waker) {
      case .success(let descriptor): return .success(descriptor)
      case .failure(let fault): last = fault
      }
      next = entry.pointee.ai_next
    }
    return .failure(last)
  }

  private static func connect(
    _ entry: addrinfo, milliseconds: Int32, waker: Int32
  ) -> Result<Int32, GpsdFault> {
    let descriptor = socket(entry.ai_family, entry.ai_socktype, entry.ai_protocol)
    guard descriptor >= 0 else { return .failure(GpsdFault("no socket: \(reason(errno))")) }
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    #if canImport(Glibc)
      let result = Glibc.connect(descriptor, entry.ai_addr, entry.ai_addrlen)
    #elseif canImport(Musl)
      let result = Musl.connect(descriptor, entry.ai_addr, entry.ai_addrlen)
    #else
      let result = Darwin.connect(descriptor, entry.ai_addr, entry.ai_addrlen)
    #endif
    if result == 0 { return .success(descriptor) }
    var number = errno
    if number == EINPROGRESS {
      var entries = [
        pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0),
        pollfd(fd: waker, events: Int16(POLLIN), revents: 0),
      ]
      _ = poll(&entries, 2, milliseconds)
      number = entries[0].revents == 0 ? ETIMEDOUT : pendingError(of: descriptor)
      if number == 0 { return .success(descriptor) }
    }
    close(descriptor)
    return .failure(GpsdFault(reason(number)))
  }

  private static func pendingError(of descriptor: Int32) -> Int32 {
    var number: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &number, &length) == 0 ? number : errno
  }

  /// The result of a read or a write.
  enum Outcome: Hashable {
    /// The number of bytes; 0 when the call would block.
    case some(Int)
    /// The other side has closed the connection.
    case ended
    /// The `errno` of the call.
    case failed(Int32)
  }

  static func read(_ descriptor: Int32, into buffer: inout [UInt8]) -> Outcome {
    let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT.value))
    if count > 0 { return .some(count) }
    if count == 0 { return .ended }
    return [EAGAIN, EWOULDBLOCK, EINTR].contains(errno) ? .some(0) : .failed(errno)
  }

  /// Writes without blocking. On Linux, a closed connection causes an error instead of the signal SIGPIPE.
  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Outcome {
    #if canImport(Darwin)
      let flags = MSG_DONTWAIT
    #else
      let flags = Int32(MSG_DONTWAIT.value) | Int32(MSG_NOSIGNAL.value)
    #endif
    let count = send(descriptor, bytes, bytes.count, flags)
    if count >= 0 { return .some(count) }
    return [EAGAIN, EWOULDBLOCK, EINTR].contains(errno) ? .some(0) : .failed(errno)
  }

  static func close(_ descriptor: Int32) {
    #if canImport(Glibc)
      _ = Glibc.close(descriptor)
    #elseif canImport(Musl)
      _ = Musl.close(descriptor)
    #else
      _ = Darwin.close(descriptor)
    #endif
  }
}

/// The flags of the C library have different integer types on different systems.
extension FixedWidthInteger {
  fileprivate var value: Int { Int(self) }
}
