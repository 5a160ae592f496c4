import StintModel
import StintPluginKit
import StintTestSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A D-Bus server that sends arbitrary bytes, which a real bus would never forward.
///
/// The server authenticates each client, answers the client's first call, and then writes the bytes. The
/// thread of the server ends when the object is released and the last client has disconnected.
final class FakeBus: Sendable {
  private let files = TemporaryFiles()
  private let listener: Int32
  private let hasThread: Bool
  let address: String

  struct Failure: Error {}

  /// Listens for clients. Without a payload, clients can connect but receive no bytes.
  init(_ payload: (@Sendable (_ client: Int) -> [UInt8])?) throws {
    let path = files.path("fake")
    address = "unix:path=" + path
    #if canImport(Glibc)
      let kind = Int32(SOCK_STREAM.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    let listener = socket(AF_UNIX, kind, 0)
    self.listener = listener
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let isBound = withUnsafePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) == 0 }
    }
    guard isBound, listen(listener, 8) == 0 else { throw Failure() }
    hasThread = payload != nil
    guard let payload else { return }
    guard PluginThread.start({ Self.serve(listener, payload) }) else { throw Failure() }
  }

  /// Ends the thread. The thread closes the descriptor itself. If this function closed the descriptor, the
  /// thread could accept clients of another bus whose descriptor has the same number.
  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    if !hasThread { close(listener) }
  }

  private static func serve(_ listener: Int32, _ payload: @Sendable (Int) -> [UInt8]) {
    var client = 0
    while true {
      let descriptor = accept(listener, nil, nil)
      guard descriptor >= 0 else {
        close(listener)
        return
      }
      if greet(descriptor) { write(payload(client), descriptor) }
      client += 1
      // The client closes the connection when it has read enough.
      var bytes = [UInt8](repeating: 0, count: 4096)
      while recv(descriptor, &bytes, bytes.count, 0) > 0 {}
      close(descriptor)
    }
  }

  /// Performs the authentication and answers the first call, which requests a unique name.
  private static func greet(_ descriptor: Int32) -> Bool {
    var received: [UInt8] = []
    let begin = Array("BEGIN\r\n".utf8)
    while received.firstRange(of: begin) == nil { guard read(descriptor, &received) else { return false } }
    write(Array("DATA\r\nOK 0123456789abcdef0123456789abcdef\r\n".utf8), descriptor)
    guard let end = received.firstRange(of: begin)?.upperBound else { return false }
    received.removeFirst(end)
    while received.count < 12 { guard read(descriptor, &received) else { return false } }
    let serial = UInt32(received[8]) | UInt32(received[9]) << 8
    let name = RawMessage.string(":1.7")
    write(RawMessage(kind: 2, signature: "s", body: name, reply: serial).bytes, descriptor)
    return true
  }

  private static func read(_ descriptor: Int32, _ received: inout [UInt8]) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    guard count > 0 else { return false }
    received += bytes[..<count]
    return true
  }

  private static func write(_ bytes: [UInt8], _ descriptor: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}

/// A message as bytes, without any check of its content.
struct RawMessage {
  var kind: UInt8 = 4
  var signature = ""
  var body: [UInt8] = []
  var reply: UInt32?

  /// The bytes of a signal `org.example.Raw.Sent`, or of a reply.
  var bytes: [UInt8] {
    var fields: [UInt8] = []
    func add(_ number: UInt8, _ type: String, _ value: [UInt8]) {
      while fields.count % 8 != 0 { fields.append(0) }
      fields += [number, 1, UInt8(type.utf8.first ?? 0), 0] + value
    }
    if let reply {
      add(5, "u", Self.number(reply))
      add(6, "s", Self.string(":1.7"))
    } else {
      add(1, "o", Self.string("/raw"))
      add(2, "s", Self.string("org.example.Raw"))
      add(3, "s", Self.string("Sent"))
    }
    add(7, "s", Self.string(reply == nil ? ":1.8" : "org.freedesktop.DBus"))
    if !signature.isEmpty { add(8, "g", [UInt8(signature.utf8.count)] + Array(signature.utf8) + [0]) }
    var bytes: [UInt8] = [UInt8(ascii: "l"), kind, 0, 1]
    bytes += Self.number(UInt32(body.count)) + Self.number(7) + Self.number(UInt32(fields.count)) + fields
    while bytes.count % 8 != 0 { bytes.append(0) }
    return bytes + body
  }

  static func number(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }

  static func string(_ text: String) -> [UInt8] { number(UInt32(text.utf8.count)) + Array(text.utf8) + [0] }
}
