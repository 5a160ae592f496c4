import Synchronization

/// Something that becomes true once; cheap to ask between two jobs. May be used from any thread.
final class Flag: Sendable {
  private let value = Atomic(false)

  var isRaised: Bool { value.load(ordering: .acquiring) }

  func raise() { value.store(true, ordering: .releasing) }
}
