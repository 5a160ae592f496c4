import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// A client program at the socket of a bus. It uses only the protocol of messages, and no other part of
/// Stint.
final class Program: Sendable {
  /// A failure of the connection or of the test.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private let socket: Int32
  private let unread = Mutex<[UInt8]>([])

  /// Connects to a socket. A read fails after 20 s without data.
  init(at path: String) throws {
    socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8.prefix(100))) }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else { throw Failure(description: "no connection to \(path): \(errno)") }
  }

  convenience init(attach name: String, at path: String) async throws {
    try self.init(at: path)
    send(#"{"attach":{"name":"\#(name)"}}"#)
    _ = try await line { $0.contains("\"attached\"") }
  }

  deinit { close(socket) }

  func send(_ line: String) {
    var rest = Array((line + "\n").utf8)[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard sent > 0 else { return }
      rest = rest.dropFirst(sent)
    }
  }

  /// Ends the connection.
  func leave() { shutdown(socket, Int32(SHUT_RDWR)) }

  /// Waits for the first line that satisfies a condition, on a separate thread.
  func line(_ isMeant: @escaping @Sendable (String) -> Bool) async throws -> String {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { [self] in
        continuation.resume(with: Result { try self.blockingLine(isMeant) })
      }
    }
  }

  private func blockingLine(_ isMeant: (String) -> Bool) throws -> String {
    while true {
      while let line = nextLine() { if isMeant(line) { return line } }
      var block = [UInt8](repeating: 0, count: 65536)
      let count = recv(socket, &block, block.count, 0)
      guard count > 0 else { throw Failure(description: "the connection ended or was silent") }
      unread.withLock { $0 += block[..<count] }
    }
  }

  private func nextLine() -> String? {
    unread.withLock { bytes in
      guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
      defer { bytes.removeSubrange(...end) }
      return String(decoding: bytes[..<end], as: UTF8.self)
    }
  }

  /// Sends one query to the daemon on a separate connection, and returns the answer.
  static func ask(_ question: String, at path: String) async throws -> String {
    let program = try Program(at: path)
    program.send(question)
    return try await program.line { _ in true }
  }

  /// Returns the code of the problem in a line; nil without a problem.
  static func code(in line: String) -> String? {
    guard let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] else {
      return nil
    }
    let problem = object["problem"] ?? (object["ended"] as? [String: Any])?["problem"]
    return (problem as? [String: Any])?["code"] as? String
  }
}

extension Program {
  /// The requests of a client, as the status of the daemon reports them.
  struct Requests {
    /// The number of running requests; 0 for an unknown client.
    var running = 0
    /// The reasons why requests from a site or scenario file wait.
    var waiting: [String] = []
  }

  /// Returns the requests of a client of the daemon.
  static func requests(of client: String, at path: String) async throws -> Requests {
    let status = try await ask(#"{"ask":"status"}"#, at: path)
    let reply = try JSONSerialization.jsonObject(with: Data(status.utf8)) as? [String: Any]
    let report = reply?["report"] as? [String: Any]
    guard let clients = report?["clients"] as? [[String: Any]] else {
      throw Failure(description: "no clients in \(status)")
    }
    guard let entry = clients.first(where: { $0["client"] as? String == client }) else { return Requests() }
    let waiting = entry["waiting"] as? [[String: Any]] ?? []
    return Requests(
      running: entry["requests"] as? Int ?? 0, waiting: waiting.compactMap { $0["reason"] as? String })
  }

  /// Waits until a daemon answers at a socket, for at most 20 s.
  static func listening(at path: String) async throws {
    let end = ContinuousClock.now + .seconds(20)
    while true {
      do {
        _ = try await ask(#"{"ask":"status"}"#, at: path)
        return
      } catch {
        guard ContinuousClock.now < end else { throw error }
        await Task.yield()
      }
    }
  }
}

/// The result of a request for one fix.
enum FixResult: Hashable {
  /// A fix with its radius in metres.
  case fix(accuracy: Double)
  /// The code of a failure and its sentence.
  case failed(String, String)
  /// The request ended without a failure.
  case ended(String)

  /// Reads the result from a message of the socket.
  init(line: String) throws {
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    if let event = object?["event"] as? [String: Any] {
      if let fixes = event["fixes"] as? [[String: Any]], let accuracy = fixes.first?["accuracy_m"] as? Double
      {
        self = .fix(accuracy: accuracy)
        return
      }
      if let failure = event["unanswered"] as? [String: Any] {
        self = .failed(failure["code"] as? String ?? "", failure["cause"] as? String ?? line)
        return
      }
    }
    let ended = object?["ended"] as? [String: Any]
    if let failure = ended?["problem"] as? [String: Any] {
      self = .failed(failure["code"] as? String ?? "", failure["cause"] as? String ?? line)
    } else {
      self = .ended(ended?["reason"] as? String ?? line)
    }
  }
}

/// A temporary folder that `deinit` removes.
final class Folder: Sendable {
  let path: String

  init() {
    path = NSTemporaryDirectory() + "stint-embedding-\(UUID().uuidString.prefix(8))"
    do { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) } catch {
      preconditionFailure("no temporary folder: \(error)")
    }
  }

  deinit { do { try FileManager.default.removeItem(atPath: path) } catch {} }

  func at(_ name: String) -> String { path + "/" + name }

  func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(atPath: at(name), withIntermediateDirectories: true)
  }

  func write(_ name: String, _ text: String) throws {
    try text.write(toFile: at(name), atomically: true, encoding: .utf8)
  }
}
