import StintModel

@testable import StintPluginHost

/// Wakes whoever waits for the next ring.
final class Bell: Sendable {
  private let latch = Locked(Latch())

  func ring() { latch.withLock { $0 }.open() }

  /// What the next ring opens.
  func next() -> Latch {
    latch.withLock { latch in
      latch = Latch()
      return latch
    }
  }
}
