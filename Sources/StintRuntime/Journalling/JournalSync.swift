import StintJournal
import StintModel
import StintUnits

/// Brings a journal to the disk on a thread of its own, so that a slow disk delays no step; one sync at a time.
final class JournalSync: Sendable {
  private let state = Locked((isInProgress: false, failure: Problem?.none))

  /// Whether a sync has begun and not ended.
  var isInProgress: Bool { state.withLock { $0.isInProgress } }

  /// Why the last sync failed, once; nil when it did not.
  func consumeFailure() -> Problem? { state.withLock { $0.failure.take() } }

  /// Starts a sync and returns at once.
  ///
  /// - Precondition: none is under way.
  func start(_ work: @escaping @Sendable () throws(Problem) -> Void) {
    state.withLock { state in
      precondition(!state.isInProgress, "one sync of a journal at a time")
      state.isInProgress = true
    }
    do throws(Problem) {
      try Spawner.thread { self.run(work) }.detach()
    } catch {
      // Without a thread the caller waits.
      run(work)
    }
  }

  private func run(_ work: () throws(Problem) -> Void) {
    var failure: Problem?
    do throws(Problem) { try work() } catch { failure = error }
    state.withLock { $0 = (false, failure) }
  }
}
