import StintModel

/// An event that occurs once, and the tasks that wait for it.
final class AsyncEvent: Sendable {
  private struct State {
    var hasOccurred = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Locked(State())

  /// Marks the event as occurred. Further calls do nothing. May be called from any thread.
  func open() {
    let waiters = state.withLock { state in
      defer { state.waiters = [] }
      state.hasOccurred = true
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Returns once the event has occurred.
  func wait() async {
    await withCheckedContinuation { waiter in
      let hasOccurred = state.withLock { state in
        if !state.hasOccurred { state.waiters.append(waiter) }
        return state.hasOccurred
      }
      if hasOccurred { waiter.resume() }
    }
  }
}
