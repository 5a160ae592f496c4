import StintModel
import StintUnits
import Testing

@testable import StintRuntime

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite struct ControlSocketTests {
  private static func connected(to path: String) throws -> Int32 {
    let descriptor = try ControlStream.make(path)
    let result = ControlStream.withAddress(of: path) { connect(descriptor, $0, $1) }
    try #require(result == 0)
    ControlStream.limitWaits(descriptor, seconds: 60)
    return descriptor
  }

  /// Runs a socket on a thread until the body returns. The socket answers each request with its text.
  private static func serve(_ body: (String, ControlSocket) throws -> Void) throws {
    let folder = TemporaryFolder()
    let thread = try LoopThread()
    let box = Locked<ControlSocket?>(nil)
    let socket = try ControlSocket(at: folder.at("control"), on: thread.loop) {
      guard let socket = box.withLock({ $0 }) else { return }
      for call in socket.drainCalls() {
        socket.answer(call, call.isTrusted ? call.question : "a stranger")
      }
    }
    box.withLock { $0 = socket }
    defer {
      box.withLock { $0 = nil }
      thread.shutdown()
    }
    try body(socket.path, socket)
  }

  @Test func `only the owner and the group of a socket can connect`() throws {
    let folder = TemporaryFolder()
    let thread = try LoopThread()
    defer { thread.shutdown() }
    // Root may give a socket to any group, other users only to their own groups.
    let number = geteuid() == 0 ? 4242 : getegid()
    let socket = try ControlSocket(
      at: folder.at("control"), on: thread.loop, group: ControlGroup("\(number)")
    ) {}
    var status = stat()
    try #require(lstat(socket.path, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o660 && status.st_gid == number)
    let error = #expect(throws: Problem.self) { try ControlGroup("no such group") }
    #expect(error?.code == .notFound)
  }

  @Test func `a peer is a member of its own groups and of no other group`() throws {
    var ends: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { for end in ends { close(end) } }
    var groups = [gid_t](repeating: 0, count: Int(getgroups(0, nil)))
    let count = getgroups(Int32(groups.count), &groups)
    groups = groups.prefix(Int(max(count, 0))) + [getegid()]
    for number in groups { #expect(try ControlGroup("\(number)").hasPeer(of: ends[0])) }
    let other = try #require((50_000...60_000).first { !groups.contains(gid_t($0)) })
    #expect(try !ControlGroup("\(other)").hasPeer(of: ends[0]))
  }

  @Test func `an answer does not wait for a request that arrives byte by byte`() throws {
    try Self.serve { path, _ in
      let slow = try Self.connected(to: path)
      defer { close(slow) }
      #expect(ControlStream.send([UInt8](repeating: 0x78, count: 900_000), to: slow))
      for number in 0..<200 {
        #expect(ControlStream.send([0x78], to: slow))
        guard number % 20 == 0 else { continue }
        #expect(try ControlClient.ask("question \(number)", at: path) == "question \(number)")
      }
    }
  }

  @Test func `a request above the limit closes only its own connection`() throws {
    try Self.serve { path, _ in
      let long = try Self.connected(to: path)
      defer { close(long) }
      let bytes = [UInt8](repeating: 0x78, count: ControlSocket.maxBytes + ControlSocket.budget + 1)
      _ = ControlStream.send(bytes, to: long)
      var buffer = [UInt8](repeating: 0, count: 16)
      #expect(readSome(long, into: &buffer) <= 0)
      #expect(try ControlClient.ask("next", at: path) == "next")
    }
  }

  @Test func `an answer that its caller does not read delays no other answer`() throws {
    try Self.serve { path, _ in
      let slowReader = try Self.connected(to: path)
      defer { close(slowReader) }
      let question = String(repeating: "y", count: 1_000_000)
      #expect(ControlStream.send(Array((question + "\n").utf8), to: slowReader))
      for number in 0..<5 { #expect(try ControlClient.ask("\(number)", at: path) == "\(number)") }
    }
  }

  @Test func `client and socket verify each other's user`() throws {
    try Self.serve { path, _ in
      let answer = try ControlClient.ask("push", at: path, requiresTrustedDaemon: true)
      #expect(answer == "push")
    }
  }
}
