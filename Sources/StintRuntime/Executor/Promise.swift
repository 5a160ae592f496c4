import StintModel

/// A value that one task sets once and one task awaits.
package final class Promise<Value: Sendable>: Sendable {
  private enum State {
    /// No value is set and no task waits.
    case empty
    /// A task waits for the value.
    case waiting(CheckedContinuation<Value, Never>)
    /// The value is set. Later values are ignored.
    case filled(Value)
  }

  private let state = Locked(State.empty)

  package init() {}

  /// The value; nil while it is not set.
  package var content: Value? {
    state.withLock { state in
      if case .filled(let value) = state { return value }
      return nil
    }
  }

  /// Sets the value. Later calls have no effect. May be called from any thread.
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
        case .waiting: preconditionFailure("another task already waits for the value")
        case .filled(let value): return value
        }
      }
      if let value { continuation.resume(returning: value) }
    }
  }
}
