import StintJournal
import StintModel
import StintUnits

/// The synchronization of a journal to the disk on a separate thread, so that a slow disk delays no step.
/// Only one synchronization runs at a time.
final class JournalSync: Sendable {
  private let state = Locked((isInProgress: false, failure: Problem?.none))

  /// True while a synchronization runs.
  var isInProgress: Bool { state.withLock { $0.isInProgress } }

  /// Removes and returns the failure of the last synchronization; nil when it succeeded.
  func consumeFailure() -> Problem? { state.withLock { $0.failure.take() } }

  /// Starts a synchronization on a separate thread and returns at once. When the system cannot start a
  /// thread, the calling thread does the work.
  ///
  /// - Precondition: no synchronization is in progress.
  func start(_ work: @escaping @Sendable () throws(Problem) -> Void) {
    state.withLock { state in
      precondition(!state.isInProgress, "a synchronization is already in progress")
      state.isInProgress = true
    }
    do throws(Problem) {
      try Spawner.thread("stint-sync") { self.run(work) }.detach()
    } catch {
      // Without a thread, synchronize on the calling thread.
      run(work)
    }
  }

  private func run(_ work: () throws(Problem) -> Void) {
    var failure: Problem?
    do throws(Problem) { try work() } catch { failure = error }
    state.withLock { $0 = (false, failure) }
  }
}
