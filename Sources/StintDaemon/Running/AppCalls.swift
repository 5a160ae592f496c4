import StintModel
import StintRuntime

/// Runs the calls of an app on the loop of a daemon. So tasks of the app never run on the loop's thread.
///
/// A task of the app that entered the actor of the host could continue on the thread of the loop, also after
/// it has left the actor. Code of the app that blocks this thread would stop the run. So each call is a task
/// of the loop, and the caller waits for its result.
final class AppCalls: Sendable {
  private struct State {
    /// The number of calls that run or wait on the loop.
    var running = 0
    var isClosed = false
  }

  private let loop: LoopExecutor
  private let state = Locked(State())
  private let allHaveEnded = Promise<Void>()

  init(on loop: LoopExecutor) { self.loop = loop }

  /// Runs a function on the loop. After `close()`, runs it on the executor of the caller.
  func run<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value {
    let isOpen = state.withLock { state in
      if !state.isClosed { state.running += 1 }
      return !state.isClosed
    }
    guard isOpen else { return await body() }
    let done = Promise<Value>()
    Spawner.start(on: loop) { [self] in
      done.fill(await body())
      end()
    }
    return await done.value()
  }

  private func end() {
    let isLast = state.withLock { state in
      state.running -= 1
      return state.isClosed && state.running == 0
    }
    if isLast { allHaveEnded.fill(()) }
  }

  /// Ends the use of the loop, because its run has ended. Returns after the last call on the loop.
  func close() async {
    let isIdle = state.withLock { state in
      state.isClosed = true
      return state.running == 0
    }
    if !isIdle { await allHaveEnded.value() }
  }
}
