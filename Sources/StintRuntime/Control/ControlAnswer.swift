import StintUnits

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// An answer on its way to a caller who may read slowly.
struct ControlAnswer {
  /// How long to wait before the rest is offered again.
  static let pause = TimeSpan.milliseconds(50)
  /// How often the rest is offered: for two seconds.
  private static let most = 40

  let descriptor: Int32
  private let bytes: [UInt8]
  private var sent = 0
  private var tries = 0

  init(descriptor: Int32, bytes: [UInt8]) {
    self.descriptor = descriptor
    self.bytes = bytes
  }

  /// Sends what there is room for; true when the answer is over, sent or given up, and the caller was hung up on.
  mutating func send() -> Bool {
    tries += 1
    while sent < bytes.count {
      let count = ControlStream.sendNow(bytes[sent...], to: descriptor)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN || errno == EWOULDBLOCK, tries < Self.most { return false }
      guard count > 0 else { break }
      sent += count
    }
    close(descriptor)
    return true
  }
}
