import StintGovernor
import StintJournal
import StintModel
import StintRuntime
import StintUnits

/// Saves the policies and the governor of a daemon in its state file.
///
/// When an operator or an app changes the policies, the change is saved before it comes into force. So the
/// change is either durable or refused.
final class StateSaving: Sendable {
  private struct State {
    var nextSave = MonotonicInstant(nanoseconds: 0)
    /// The policies that come into force next and are already saved. Every save contains them, so that no
    /// save replaces them by the former policies. Nil when no change is in progress.
    var coming: PolicyGenerations?
  }

  private let file: DurableFile?
  private let world: JournalWorld
  private let clock: WallClock
  private let state = Locked(State())

  /// - Parameter file: the state file; nil to save nothing.
  init(in file: DurableFile?, of world: JournalWorld, clock: WallClock) {
    self.file = file
    self.world = world
    self.clock = clock
  }

  /// Requests a save: at once when it is urgent, otherwise at most once per second.
  func save(
    _ governor: borrowing Governor, _ generations: PolicyGenerations, watchedTexts: [JournalPolicy],
    isUrgent: Bool
  ) {
    guard let file, !file.isOver else { return }
    let now = SystemClock.monotonic()
    let coming = state.withLock { state -> PolicyGenerations? in
      guard isUrgent || state.nextSave <= now else { return nil }
      state.nextSave = now + .seconds(1)
      return state.coming ?? generations
    }
    if let coming { file.save(content(governor, coming, watchedTexts)) }
  }

  /// Saves policies that will come into force. Waits until they are on the disk; later saves contain them
  /// until `endChange()`.
  ///
  /// - Returns: the reason why the policies cannot be saved; nil when they are saved, and when there is no
  ///   state file.
  func saveFirst(
    _ governor: borrowing Governor, _ generations: PolicyGenerations, watchedTexts: [JournalPolicy]
  ) async -> Problem? {
    guard let file else { return nil }
    state.withLock { $0.coming = generations }
    return await file.saveFirst(content(governor, generations, watchedTexts))
  }

  /// Ends the change that `saveFirst` began: the next save contains the policies that are passed to it.
  func endChange() { state.withLock { $0.coming = nil } }

  /// Returns a closure that computes the saved state on the thread of the disk writer. The host only copies
  /// the governor, which is cheap.
  private func content(
    _ governor: borrowing Governor, _ generations: PolicyGenerations, _ watchedTexts: [JournalPolicy]
  ) -> DurableFile.Content {
    let persisted = PersistedClock(
      ahead: governor.timeZone.ahead, boot: Boot.name, steady: clock.clock.reading(for: governor.now))
    let governor = copy governor
    return { [world] in
      DaemonState(
        world: world, generations: generations, watchedPolicies: watchedTexts, memory: governor.memory,
        clock: persisted
      ).encoded
    }
  }

  /// Ends the saving: later requests have no effect.
  func beginEnd() { file?.beginEnd() }

  /// Waits for the last save. Must be called after `beginEnd()`.
  func finish(by deadline: EndDeadline) async { await file?.finish(within: deadline.remaining) }

  /// The problem of the last save; nil when the file has the last state.
  var failure: Problem? { file?.failure }
}
