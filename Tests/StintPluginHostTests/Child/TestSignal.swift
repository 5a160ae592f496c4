import StintModel

@testable import StintPluginHost

/// Wakes one waiting task. `nextEvent` returns a new event, and the following call of `notify` opens this
/// event. Earlier events are not opened.
final class TestSignal: Sendable {
  private let latch = Locked(AsyncEvent())

  func notify() { latch.withLock { $0 }.open() }

  /// Returns a new event, which the following call of `notify` opens.
  func nextEvent() -> AsyncEvent {
    latch.withLock { latch in
      latch = AsyncEvent()
      return latch
    }
  }
}
