import StintModel

@testable import StintPluginHost

/// Wakes one waiting task. `next` returns a new event, and the following call of `ring` opens this event.
/// Earlier events stay closed.
final class Bell: Sendable {
  private let latch = Locked(AsyncEvent())

  func ring() { latch.withLock { $0 }.open() }

  /// Returns a new event, which the following call of `ring` opens.
  func next() -> AsyncEvent {
    latch.withLock { latch in
      latch = AsyncEvent()
      return latch
    }
  }
}
