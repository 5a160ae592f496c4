import StintModel

/// Which clients read now, and whether all of them wait for more.
final class Listeners: Sendable {
  private struct State {
    /// For each reader, whether it waits now.
    var isWaiting: [AnyHashable: @Sendable () -> Bool] = [:]
    var onChange: (@Sendable () -> Void)?
  }

  private let state = Locked(State())

  /// Whether there is a reader and every reader waits.
  var areReady: Bool {
    // Each reader is asked where its queue says it, so no notice of a delivery can come too late to be true.
    let readers = state.withLock { Array($0.isWaiting.values) }
    return !readers.isEmpty && readers.allSatisfy { $0() }
  }

  /// Has this called whenever the answer may have changed.
  func onChange(_ call: @escaping @Sendable () -> Void) { state.withLock { $0.onChange = call } }

  /// A reader begins to read; `isWaiting` says from then on whether it waits, and may be called from any thread.
  func add(_ reader: some Hashable & Sendable, isWaiting: @escaping @Sendable () -> Bool) {
    change { $0[reader] = isWaiting }
  }

  /// Notes whether a reader waits; nil once it never will again.
  func set(_ reader: some Hashable & Sendable, isAsking: Bool?) {
    guard let isAsking else { return remove(reader) }
    change { $0[reader] = { isAsking } }
  }

  func remove(_ reader: some Hashable & Sendable) { change { $0[reader] = nil } }

  /// A reader that was added waits now, or does so no more.
  func noteChange() { change { _ in } }

  private func change(_ body: (inout [AnyHashable: @Sendable () -> Bool]) -> Void) {
    let call = state.withLock { state in
      body(&state.isWaiting)
      return state.onChange
    }
    call?()
  }
}
