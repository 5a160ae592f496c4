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

@Suite struct ControlConnectionTests {
  /// A daemon that keeps all connections open. It echoes each line, and answers “flood” with up to 10,000
  /// lines.
  private final class Daemon: Sendable {
    let path: String
    let thread: LoopThread
    /// The number of lines that were not sent because the queue of a connection was full.
    let lost = Locked(0)
    private let state = Locked((socket: ControlSocket?.none, connections: [ControlConnection]()))

    init(in folder: TemporaryFolder) throws {
      path = folder.at("control")
      thread = try LoopThread()
      let socket = try ControlSocket(at: path, on: thread.loop) { [weak self] in self?.serve()
      }
      state.withLock { $0.socket = socket }
    }

    var count: Int { state.withLock { $0.connections.count } }

    func shutdown() {
      state.withLock { $0 = (nil, []) }
      thread.shutdown()
    }

    private func serve() {
      guard let socket = state.withLock({ $0.socket }) else { return }
      for call in socket.drainCalls() {
        let connection = socket.keep(call)
        state.withLock { $0.connections.append(connection) }
        answer(call.question, connection)
      }
      for connection in state.withLock({ $0.connections }) {
        for line in connection.drainLines() { answer(line, connection) }
        guard connection.isEnded else { continue }
        if connection.isOverlong { connection.send("too long") }
        connection.finish()
        state.withLock { $0.connections.removeAll { $0 === connection } }
      }
    }

    private func answer(_ line: String, _ connection: ControlConnection) {
      guard line == "flood" else {
        connection.send("echo \(line)")
        return
      }
      let text = String(repeating: "x", count: 1_000)
      for _ in 0..<10_000 {
        if connection.hasRoom { connection.send(text) } else { lost.withLock { $0 += 1 } }
      }
    }
  }

  @Test func `lines of one write are answered in order, with the connection kept open`() throws {
    let folder = TemporaryFolder()
    let daemon = try Daemon(in: folder)
    defer { daemon.shutdown() }
    let lines = try ControlLines(at: daemon.path)
    try lines.send((1...500).map { "line \($0)" }.joined(separator: "\n"))
    for number in 1...500 { #expect(try lines.next() == "echo line \(number)") }
    try lines.send("last")
    #expect(try lines.next() == "echo last")
  }

  @Test func `a program that does not read loses lines beyond the queue, but keeps its connection`() throws {
    let folder = TemporaryFolder()
    let daemon = try Daemon(in: folder)
    defer { daemon.shutdown() }
    let slow = try ControlLines(at: daemon.path)
    let other = try ControlLines(at: daemon.path)
    try slow.send("flood")
    try other.send("hello")
    #expect(try other.next() == "echo hello")
    let lost = daemon.lost.withLock { $0 }
    #expect(lost > 5_000)
    for _ in 0..<(10_000 - lost) { #expect(try slow.next()?.utf8.count == 1_000) }
    try slow.send("again")
    #expect(try slow.next() == "echo again")
  }

  @Test func `a line above the limit ends only its own connection, with a reason`() throws {
    let folder = TemporaryFolder()
    let daemon = try Daemon(in: folder)
    defer { daemon.shutdown() }
    let long = try ControlLines(at: daemon.path)
    let other = try ControlLines(at: daemon.path)
    try long.send("first")
    #expect(try long.next() == "echo first")
    try other.send("hello")
    try? long.send(String(repeating: "x", count: ControlSocket.maxBytes + ControlSocket.budget))
    #expect(try other.next() == "echo hello")
    #expect(try long.next() == "too long")
    #expect(try long.next() == nil)
  }

  @Test func `a connection whose program ends is closed`() throws {
    let folder = TemporaryFolder()
    let daemon = try Daemon(in: folder)
    defer { daemon.shutdown() }
    for _ in 0..<100 {
      let lines = try ControlLines(at: daemon.path)
      try lines.send("hello")
      #expect(try lines.next() == "echo hello")
    }
    let last = try ControlLines(at: daemon.path)
    // The ends of earlier connections are processed before these answers, or between them.
    for number in 0..<200 {
      try last.send("\(number)")
      #expect(try last.next() == "echo \(number)")
    }
    #expect(daemon.count == 1)
  }

  @Test func `a finished connection whose lines are sent leaves no timer`() throws {
    let folder = TemporaryFolder()
    let daemon = try Daemon(in: folder)
    defer { daemon.shutdown() }
    do {
      let lines = try ControlLines(at: daemon.path)
      try lines.send("hello")
      #expect(try lines.next() == "echo hello")
    }
    // The end of the first connection is processed before these answers, or between them.
    let last = try ControlLines(at: daemon.path)
    for number in 0..<20 {
      try last.send("\(number)")
      #expect(try last.next() == "echo \(number)")
    }
    #expect(daemon.count == 1)
    #expect(daemon.thread.loop.inbox.content.withLock { $0.timers.earliest } == nil)
  }

  @Test func `a loop that has ended releases its timers and their owners`() throws {
    final class Owner: Sendable { init() {} }
    let thread = try LoopThread()
    weak var owner: Owner?
    do {
      let kept = Owner()
      owner = kept
      _ = thread.loop.call(after: .hours(1)) { withExtendedLifetime(kept) {} }
    }
    #expect(owner != nil)
    thread.shutdown()
    #expect(owner == nil)
  }
}
