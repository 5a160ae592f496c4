import StintModel
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
      let bytes = [UInt8](repeating: 0x78, count: ControlSocket.mostBytes + ControlSocket.budget + 1)
      _ = ControlStream.send(bytes, to: long)
      var buffer = [UInt8](repeating: 0, count: 16)
      #expect(readSome(long, into: &buffer) <= 0)
      #expect(try ControlClient.ask("next", at: path) == "next")
    }
  }

  @Test func `an answer that its caller does not read delays no other answer`() throws {
    try Self.serve { path, _ in
      let deaf = try Self.connected(to: path)
      defer { close(deaf) }
      let question = String(repeating: "y", count: 1_000_000)
      #expect(ControlStream.send(Array((question + "\n").utf8), to: deaf))
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
