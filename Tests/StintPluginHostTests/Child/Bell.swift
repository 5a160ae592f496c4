import StintModel

@testable import StintPluginHost

/// Wakes the task that waits for the next ring. Each call of `next` replaces the previous event, so only the
/// latest caller is woken.
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
