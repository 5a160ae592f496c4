import StintModel
import StintUnits

/// A thread that runs closures one after another, such as the writes to one file.
///
/// The first closure starts the thread. With `isLasting`, the thread ends when this object is released. A
/// daemon uses such a thread for its journal, because a new thread for each write would cost more than the
/// write. Without `isLasting`, the thread ends when no closure waits.
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

  /// Runs `work` on the thread and returns at once. When the system cannot start a thread, runs `work` on the
  /// calling thread. The closure of an earlier call must have returned.
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
      try Spawner.thread("stint-file") { [state, isLasting] in Self.serve(state, isLasting) }.detach()
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
