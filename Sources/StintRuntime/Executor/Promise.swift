import StintModel

/// A value that another task provides, once, and one task that may wait for it.
package final class Promise<Value: Sendable>: Sendable {
  private enum State {
    /// No task waits and no value came.
    case empty
    /// The task waits.
    case waiting(CheckedContinuation<Value, Never>)
    /// The value is here; more of them are ignored.
    case filled(Value)
  }

  private let state = Locked(State.empty)

  package init() {}

  /// Whether the value is here.
  package var content: Value? {
    state.withLock { state in
      if case .filled(let value) = state { return value }
      return nil
    }
  }

  /// Provides the value; only the first one counts. May be called from any thread.
  package func fill(_ value: Value) {
    let waiter: CheckedContinuation<Value, Never>? = state.withLock { state in
      if case .filled = state { return nil }
      defer { state = .filled(value) }
      if case .waiting(let continuation) = state { return continuation }
      return nil
    }
    waiter?.resume(returning: value)
  }

  /// Waits for the value.
  ///
  /// - Precondition: no other task waits.
  package func value() async -> Value {
    await withCheckedContinuation { continuation in
      let value: Value? = state.withLock { state in
        switch state {
        case .empty:
          state = .waiting(continuation)
          return nil
        case .waiting: preconditionFailure("one task waits for a value")
        case .filled(let value): return value
        }
      }
      if let value { continuation.resume(returning: value) }
    }
  }
}
