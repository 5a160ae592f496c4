import StintPluginKit
import StintSystem
public import StintUnits

/// A client that sends requests to a daemon through its control socket. It blocks the calling thread.
public enum ControlClient {
  /// The maximum time of one read or write on the socket, in seconds.
  public static let timeout = 30
  /// The maximum wait for the answer to a change, in seconds. The daemon saves a change before it applies the
  /// change, and waits up to 60 s for the disk.
  public static let changeTimeout = 90
  /// The time without an answer after which `ask` calls `onDelay`, in seconds.
  private static let noticeableDelay = 3

  /// The path in the environment variable `STINT_CONTROL`; nil when the variable is unset or empty.
  public static var defaultPath: String? {
    guard let value = getenv("STINT_CONTROL") else { return nil }
    let path = String(cString: value)
    return path.isEmpty ? nil : path
  }

  /// Sends one line to a daemon and returns its answer of one line.
  ///
  /// - Parameters:
  ///   - requiresTrustedDaemon: true when the request may be sent only to a daemon of root or of this user.
  ///     For a socket of another user, the call then throws and sends nothing.
  ///   - timeout: the maximum time of one read or write, in seconds.
  ///   - onDelay: called once, when no answer came within 3 s and the wait continues.
  /// - Throws: `Problem` when no daemon listens or the daemon is not trusted. Also when the daemon closes the
  ///   connection, or is silent for `timeout`, before its answer is complete.
  public static func ask(
    _ question: String, at path: String, requiresTrustedDaemon: Bool = false, timeout: Int = timeout,
    onDelay: () -> Void = {}
  ) throws(Problem) -> String {
    let descriptor = try ControlStream.make(path)
    defer { close(descriptor) }
    guard ControlStream.withAddress(of: path, { connect(descriptor, $0, $1) }) == 0 else {
      throw ControlStream.unreachable(path, errno)
    }
    guard !requiresTrustedDaemon || ControlStream.isTrusted(descriptor) else {
      let user = ControlStream.user(of: descriptor).map { "user \($0)" } ?? "an unknown user"
      throw Problem(
        .notOwned, place: path,
        cause: "the socket belongs to \(user), not to root or you; nothing was sent; ask as that user")
    }
    ControlStream.limitWaits(descriptor, seconds: timeout)
    guard ControlStream.send(Array((question + "\n").utf8), to: descriptor) else {
      throw Problem(.noValidAnswer, place: path, cause: "the daemon did not read the complete request")
    }
    var answer: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    var isLate = false
    var isDelayed = timeout <= noticeableDelay
    if !isDelayed { ControlStream.limitWaits(descriptor, seconds: noticeableDelay) }
    while true {
      let count = readSome(descriptor, into: &bytes)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN, !isDelayed {
        isDelayed = true
        ControlStream.limitWaits(descriptor, seconds: timeout - noticeableDelay)
        onDelay()
        continue
      }
      guard count > 0 else {
        isLate = count < 0 && errno == EAGAIN
        break
      }
      answer += bytes[..<count]
    }
    guard answer.last == 0x0A else {
      throw Problem(
        .noValidAnswer, place: path,
        cause: isLate
          ? "the daemon sent no complete answer and was silent for about \(timeout) s"
          : "the daemon closed the connection without a complete answer")
    }
    return String(decoding: answer.dropLast(), as: UTF8.self)
  }
}
