import StintModel
import StintUnits

/// A thread that writes to a file, one piece of work after the other. It is started by the first work and
/// ends with its owner.
///
/// A daemon writes after every step, and a new thread per write would cost more than the write.
package final class SerialThread: Sendable {
  private struct State {
    var isStarted = false
    var isClosed = false
    var work: (@Sendable () -> Void)?
  }

  private let state = Monitor(State())

  package init() {}

  deinit { state.changeForAll { $0.isClosed = true } }

  /// Runs work on the thread without waiting; on the calling thread when the system starts no thread. Earlier
  /// work must have ended.
  package func run(_ work: @escaping @Sendable () -> Void) {
    var mustStart = false
    state.change { state in
      state.work = work
      mustStart = !state.isStarted
      state.isStarted = true
      return true
    }
    guard mustStart else { return }
    do throws(Problem) {
      try Spawner.thread { [state] in Self.serve(state) }.detach()
    } catch {
      state.change { state in
        (state.isStarted, state.work) = (false, nil)
        return false
      }
      work()
    }
  }

  private static func serve(_ state: Monitor<State>) {
    while let work = state.wait(for: { state -> (@Sendable () -> Void)?? in
      if let work = state.work.take() { return .some(work) }
      return state.isClosed ? .some(nil) : nil
    }) {
      work()
    }
  }
}
