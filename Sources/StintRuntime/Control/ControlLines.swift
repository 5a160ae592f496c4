import StintPluginKit
import StintSystem
public import StintUnits

/// A client program's connection to a daemon. Both sides send lines of text. The methods block the
/// calling thread.
public final class ControlLines {
  private let descriptor: Int32
  private let path: String
  private var received: [UInt8] = []

  /// Connects to the socket at `path`.
  public init(at path: String) throws(Problem) {
    self.path = path
    descriptor = try ControlStream.make(path)
    guard ControlStream.withAddress(of: path, { connect(descriptor, $0, $1) }) == 0 else {
      // `deinit` closes the descriptor.
      throw ControlStream.unreachable(path, errno)
    }
  }

  deinit { close(descriptor) }

  /// Sends a line.
  public func send(_ line: String) throws(Problem) {
    guard ControlStream.send(Array((line + "\n").utf8), to: descriptor) else {
      throw Problem(.noValidAnswer, place: path, cause: "the daemon closed the connection")
    }
  }

  /// Waits for the next line and returns it; nil when the daemon has closed the connection or reading fails.
  public func next() throws(Problem) -> String? {
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      if let end = received.firstIndex(of: 0x0A) {
        defer { received.removeFirst(end + 1) }
        return String(decoding: received[..<end], as: UTF8.self)
      }
      let count = readSome(descriptor, into: &bytes)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      received += bytes[..<count]
    }
  }
}
