import StintModel

/// What a library said, until the loop's thread takes it. May be used from any thread.
final class LibraryMailbox: Sendable {
  /// What may wait: more is a flood.
  private static let most = 4 << 20

  private struct State {
    var bytes: [UInt8] = []
    var isFull = false
    var isTold = false
  }

  private let state = Locked(State())
  private let onMail: @Sendable () -> Void

  /// - Parameter onMail: called when the first bytes wait, on the thread of the library and outside of every lock.
  init(onMail: @escaping @Sendable () -> Void) { self.onMail = onMail }

  func put(_ bytes: UnsafeRawBufferPointer) {
    let isFirst = state.withLock { state in
      if state.bytes.count + bytes.count > Self.most {
        state.isFull = true
      } else {
        state.bytes.append(contentsOf: bytes)
      }
      defer { state.isTold = true }
      return !state.isTold
    }
    if isFirst { onMail() }
  }

  /// What waits; nil when more came than is taken.
  func take() -> [UInt8]? {
    state.withLock { state in
      state.isTold = false
      defer { state.bytes = [] }
      return state.isFull ? nil : state.bytes
    }
  }
}
