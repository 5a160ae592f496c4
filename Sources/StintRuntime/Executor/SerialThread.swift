import StintModel
import StintUnits

/// A thread that writes to a file, one piece of work after the other.
///
/// The first work starts the thread. With `isLasting`, the thread ends when this object is released: a daemon
/// writes its journal after every step, and a new thread per write would cost more than the write. Otherwise
/// the thread ends when no work waits.
package final class SerialThread: Sendable {
  private struct State {
    var isStarted = false
    var isClosed = false
    var work: (@Sendable () -> Void)?
  }

  private let state = Monitor(State())
  private let isLasting: Bool

  package init(isLasting: Bool) { self.isLasting = isLasting }

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
      try Spawner.thread { [state, isLasting] in Self.serve(state, isLasting) }.detach()
    } catch {
      state.change { state in
        (state.isStarted, state.work) = (false, nil)
        return false
      }
      work()
    }
  }

  private static func serve(_ state: Monitor<State>, _ isLasting: Bool) {
    while let work = state.wait(for: { state -> (@Sendable () -> Void)?? in
      if let work = state.work.take() { return .some(work) }
      guard state.isClosed || !isLasting else { return nil }
      state.isStarted = false
      return .some(nil)
    }) {
      work()
    }
  }
}
