import StintModel

/// The bytes that a library sent and that the loop's thread has not processed yet. May be used from
/// any thread.
final class LibraryMailbox: Sendable {
  /// The maximum number of waiting bytes. A library that sends more is stopped for flooding.
  private static let maxBytes = 4 << 20

  private struct State {
    var bytes: [UInt8] = []
    var isFull = false
    var hasNotified = false
  }

  private let state = Locked(State())
  private let onMail: @Sendable () -> Void

  /// - Parameter onMail: called on the library's thread for the first bytes after each `take()`. The mailbox
  ///   is not locked during the call.
  init(onMail: @escaping @Sendable () -> Void) { self.onMail = onMail }

  func put(_ bytes: UnsafeRawBufferPointer) {
    let isFirst = state.withLock { state in
      if state.bytes.count + bytes.count > Self.maxBytes {
        state.isFull = true
      } else {
        state.bytes.append(contentsOf: bytes)
      }
      defer { state.hasNotified = true }
      return !state.hasNotified
    }
    if isFirst { onMail() }
  }

  /// Removes and returns the waiting bytes; nil when the library sent more than the maximum.
  func take() -> [UInt8]? {
    state.withLock { state in
      state.hasNotified = false
      defer { state.bytes = [] }
      return state.isFull ? nil : state.bytes
    }
  }
}
