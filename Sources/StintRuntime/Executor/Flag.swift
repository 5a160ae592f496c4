import Synchronization

/// A Boolean that changes once from false to true. Reading it is cheap. A flag may be used from any thread.
final class Flag: Sendable {
  private let value = Atomic(false)

  var isRaised: Bool { value.load(ordering: .acquiring) }

  func raise() { value.store(true, ordering: .releasing) }
}
