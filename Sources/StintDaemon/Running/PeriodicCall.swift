import StintModel
import StintRuntime
import StintUnits

/// A function that is called periodically, in a task on a loop, until `stop()`.
final class PeriodicCall: Sendable {
  private struct State {
    var isStopped = false
    /// Cancels the planned call. Has no effect while a call runs; nil after `stop()`.
    var cancel: (@Sendable () -> Void)?
  }

  private let interval: TimeSpan
  private let loop: LoopExecutor
  private let body: @Sendable () async -> Void
  private let state = Locked(State())

  /// Plans the first call after one interval. Each later call begins one interval after the end of the
  /// previous call.
  init(every interval: TimeSpan, on loop: LoopExecutor, _ body: @escaping @Sendable () async -> Void) {
    self.interval = interval
    self.loop = loop
    self.body = body
    planNext()
  }

  /// Starts no further call. A call that runs continues. May be called from any thread.
  func stop() {
    let cancel = state.withLock { state in
      state.isStopped = true
      return state.cancel.take()
    }
    cancel?()
  }

  private func planNext() {
    state.withLock { state in
      guard !state.isStopped else { return }
      state.cancel = loop.call(after: interval) { [self] in
        Spawner.start(on: loop) { [self] in
          await body()
          planNext()
        }
      }
    }
  }
}
