import StintModel

/// Which clients read batches now, and whether all of them wait for more.
final class Listeners: Sendable {
  private struct State {
    var isAsking: [AnyHashable: Bool] = [:]
    var onChange: (@Sendable () -> Void)?
  }

  private let state = Locked(State())

  /// Whether there is a reader and every reader waits for the next batch.
  var areReady: Bool {
    state.withLock { !$0.isAsking.isEmpty && $0.isAsking.values.allSatisfy { $0 } }
  }

  /// Has this called whenever the answer may have changed.
  func onChange(_ call: @escaping @Sendable () -> Void) { state.withLock { $0.onChange = call } }

  /// Notes whether a reader waits for more; nil once it never will again.
  func set(_ reader: some Hashable & Sendable, isAsking: Bool?) { change { $0[reader] = isAsking } }

  /// A batch is on its way to a reader: it is busy from here on, however long it takes to wake up.
  func noteDelivery(to reader: some Hashable & Sendable) {
    change { if $0[reader] != nil { $0[reader] = false } }
  }

  func remove(_ reader: some Hashable & Sendable) { change { $0[reader] = nil } }

  private func change(_ body: (inout [AnyHashable: Bool]) -> Void) {
    let call = state.withLock { state in
      body(&state.isAsking)
      return state.onChange
    }
    call?()
  }
}
