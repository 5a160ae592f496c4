import StintPluginKit
public import StintUnits

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Asks a daemon that listens at a socket in the file system. Blocks the calling thread.
public enum ControlClient {
  /// How long an answer may take, in seconds.
  static let patience = 30

  /// The path in `STINT_CONTROL`; nil when it is not set or empty.
  public static var defaultPath: String? {
    guard let value = getenv("STINT_CONTROL") else { return nil }
    let path = String(cString: value)
    return path.isEmpty ? nil : path
  }

  /// The daemon's answer to one line.
  ///
  /// - Parameter isTrusting: whether the question brings what only a daemon of root or of this user may have; then a
  ///   socket of another user is an error, and nothing is sent.
  public static func ask(
    _ question: String, at path: String, isTrusting: Bool = false
  ) throws(Problem) -> String {
    let descriptor = try ControlStream.make(path)
    defer { close(descriptor) }
    guard ControlStream.withAddress(of: path, { connect(descriptor, $0, $1) }) == 0 else {
      throw Problem(.unreachable, place: path, cause: DescriptorCalls.reason(errno))
    }
    guard !isTrusting || ControlStream.isTrusted(descriptor) else {
      let user = ControlStream.user(of: descriptor).map { "user \($0)" } ?? "an unknown user"
      throw Problem(
        .notOwned, place: path,
        cause: "\(user) listens there, neither root nor you, so nothing was sent; ask as that user")
    }
    ControlStream.limitWaits(descriptor, seconds: patience)
    guard ControlStream.send(Array((question + "\n").utf8), to: descriptor) else {
      throw Problem(.silent, place: path, cause: "the daemon does not listen to the end")
    }
    var answer: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = readSome(descriptor, into: &bytes)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      answer += bytes[..<count]
    }
    guard answer.last == 0x0A else {
      throw Problem(.silent, place: path, cause: "the daemon hung up without an answer")
    }
    return String(decoding: answer.dropLast(), as: UTF8.self)
  }
}
