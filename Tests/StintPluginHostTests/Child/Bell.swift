import StintModel

@testable import StintPluginHost

/// Wakes the tasks that wait for the next ring.
final class Bell: Sendable {
  private let latch = Locked(AsyncEvent())

  func ring() { latch.withLock { $0 }.open() }

  /// Returns the event that the next ring opens.
  func next() -> AsyncEvent {
    latch.withLock { latch in
      latch = AsyncEvent()
      return latch
    }
  }
}
