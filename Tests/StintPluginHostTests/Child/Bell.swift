import StintModel

@testable import StintPluginHost

/// Wakes whoever waits for the next ring.
final class Bell: Sendable {
  private let latch = Locked(AsyncEvent())

  func ring() { latch.withLock { $0 }.open() }

  /// What the next ring opens.
  func next() -> AsyncEvent {
    latch.withLock { latch in
      latch = AsyncEvent()
      return latch
    }
  }
}
