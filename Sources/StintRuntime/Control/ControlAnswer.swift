import StintSystem
import StintUnits

/// An answer to a request on the control socket. The answer is sent in parts when the caller reads slowly.
struct ControlAnswer {
  /// The time between two attempts to send the remaining bytes.
  static let pause = TimeSpan.milliseconds(50)
  /// The maximum number of attempts: 40, which take about two seconds.
  private static let maxAttempts = 40

  let descriptor: Int32
  private let bytes: [UInt8]
  private var sent = 0
  private var attempts = 0

  init(descriptor: Int32, bytes: [UInt8]) {
    self.descriptor = descriptor
    self.bytes = bytes
  }

  /// Sends as many bytes as the socket accepts. Closes the connection when the answer is complete or sending
  /// has failed, and then returns true.
  mutating func send() -> Bool {
    attempts += 1
    while sent < bytes.count {
      let count = ControlStream.sendNow(bytes[sent...], to: descriptor)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN || errno == EWOULDBLOCK, attempts < Self.maxAttempts { return false }
      guard count > 0 else { break }
      sent += count
    }
    close(descriptor)
    return true
  }
}
