import StintModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A server on the loopback interface that sends the lines of a test. The server runs on the test's thread. A
/// wait that takes longer than a minute fails the test.
final class FakeGpsd {
  struct Refused: Error {
    var call: String
  }

  private static let timeout: Int32 = 60_000
  static let greeting = #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#

  private(set) var port = 0
  private var listener: Int32 = -1
  private var client: Int32 = -1
  private var received: [UInt8] = []

  /// Listens on a port that the system chooses. With `isListening` false, the server only reserves the port,
  /// so that connections are refused.
  init(isListening: Bool = true) throws {
    #if canImport(Glibc)
      let stream = Int32(SOCK_STREAM.rawValue)
    #else
      let stream = SOCK_STREAM
    #endif
    listener = socket(AF_INET, stream, 0)
    guard listener >= 0 else { throw Refused(call: "socket") }
    var yes: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = 0
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, length) == 0 }
    }
    guard isBound, !isListening || listen(listener, 8) == 0 else { throw Refused(call: "bind") }
    _ = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &length) }
    }
    port = Int(in_port_t(bigEndian: address.sin_port))
  }

  deinit {
    hangUp()
    if listener >= 0 { close(listener) }
  }

  /// Accepts the next client and greets it.
  func accept(greeting: String? = FakeGpsd.greeting) throws {
    try wait(for: listener)
    #if canImport(Glibc)
      client = Glibc.accept(listener, nil, nil)
    #elseif canImport(Musl)
      client = Musl.accept(listener, nil, nil)
    #else
      client = Darwin.accept(listener, nil, nil)
    #endif
    guard client >= 0 else { throw Refused(call: "accept") }
    received = []
    if let greeting { say(greeting) }
  }

  func say(_ line: String) { send(Array((line + "\r\n").utf8)) }

  func send(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(client, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Returns the next request, up to its semicolon; nil when the client has closed the connection.
  func request() throws -> String? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      if let end = received.firstIndex(of: UInt8(ascii: ";")) {
        let text = String(decoding: received[...end], as: UTF8.self)
        received.removeFirst(end + 1)
        return String(text.drop { $0.isWhitespace })
      }
      try wait(for: client)
      let count = read(client, &buffer, buffer.count)
      guard count > 0 else { return nil }
      received += buffer[..<count]
    }
  }

  func hangUp() {
    if client >= 0 { close(client) }
    client = -1
  }

  private func wait(for descriptor: Int32) throws {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, Self.timeout) > 0 else { throw Refused(call: "poll: no connection came") }
  }
}
