import StintModel

/// The readers of batches and notices, and whether all of them wait. Controls when virtual time may advance.
final class Listeners: Sendable {
  private struct State {
    /// For each reader, a function that returns whether the reader waits now.
    var isWaiting: [AnyHashable: @Sendable () -> Bool] = [:]
    var onChange: (@Sendable () -> Void)?
  }

  private let state = Locked(State())

  /// True when there is at least one reader and every reader waits.
  var areReady: Bool {
    // Read the current state of each queue here. A cached value could be outdated by a delivery.
    let readers = state.withLock { Array($0.isWaiting.values) }
    return !readers.isEmpty && readers.allSatisfy { $0() }
  }

  /// Sets the function that is called whenever `areReady` may have changed.
  func onChange(_ call: @escaping @Sendable () -> Void) { state.withLock { $0.onChange = call } }

  /// Adds a reader. `isWaiting` returns whether the reader waits; it may be called from any thread.
  func add(_ reader: some Hashable & Sendable, isWaiting: @escaping @Sendable () -> Bool) {
    change { $0[reader] = isWaiting }
  }

  /// Records whether a reader waits. Nil removes the reader.
  func set(_ reader: some Hashable & Sendable, isAsking: Bool?) {
    guard let isAsking else { return remove(reader) }
    change { $0[reader] = { isAsking } }
  }

  func remove(_ reader: some Hashable & Sendable) { change { $0[reader] = nil } }

  /// Reports that a reader has begun or stopped waiting.
  func noteChange() { change { _ in } }

  private func change(_ body: (inout [AnyHashable: @Sendable () -> Bool]) -> Void) {
    let call = state.withLock { state in
      body(&state.isWaiting)
      return state.onChange
    }
    call?()
  }
}
