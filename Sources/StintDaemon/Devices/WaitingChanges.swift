import StintModel

/// The changes of a site file that take effect only after a restart. The object may be used from any thread.
final class WaitingChanges: Sendable {
  private let state = Locked<[String]>([])

  /// The changes, as noun phrases such as “the new device test.lamp”.
  var sentences: [String] { state.withLock { $0 } }

  /// Replaces the changes. Returns the changes that the former list did not contain.
  func replace(_ sentences: [String]) -> [String] {
    state.withLock { state in
      defer { state = sentences }
      return sentences.filter { !state.contains($0) }
    }
  }
}
