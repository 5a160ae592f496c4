import StintModel

@testable import StintPluginHost

/// Wakes one waiting task. `next` returns a new event, and the following call of `ring` opens this event.
/// Earlier events stay closed.
final class TestSignal: Sendable {
  private let latch = Locked(AsyncEvent())

  func notify() { latch.withLock { $0 }.open() }

  /// Returns a new event, which the following call of `ring` opens.
  func nextEvent() -> AsyncEvent {
    latch.withLock { latch in
      latch = AsyncEvent()
      return latch
    }
  }
}
