import StintGovernor
import StintJournal
import StintModel
import StintRuntime
import StintUnits

/// Saves the policies and the governor of a daemon in its state file, on the thread of the disk.
final class StateSaving: Sendable {
  private struct State {
    var nextSave = MonotonicInstant(nanoseconds: 0)
    /// The problem of the last save; nil when it succeeded.
    var failure: Problem?
    /// True after the last save was requested.
    var isOver = false
  }

  /// The maximum wait for the last save at the end of the run.
  private static let timeLimit = TimeSpan.seconds(10)

  /// The disk that stores the state; a simulated fault can fill it.
  let disk = SimulatedDisk()
  private let path: String?
  private let writer: DiskWriter?
  private let world: JournalWorld
  private let clock: WallClock
  private let log: @Sendable (String) -> Void
  private let state = Locked(State())

  /// - Parameter path: the path of the state file; nil to save nothing.
  init(
    at path: String?, of world: JournalWorld, clock: WallClock, log: @escaping @Sendable (String) -> Void
  ) {
    self.path = path
    writer = path.map { [disk] in DiskWriter(path: $0, room: disk) }
    self.world = world
    self.clock = clock
    self.log = log
  }

  /// The reason why the state is not saved; nil when the last save succeeded.
  var problem: String? {
    guard let path, let failure = state.withLock({ $0.failure }) else { return nil }
    return "the state is not saved: \(path): \(failure.cause)"
  }

  /// Requests a save: at once when it is urgent, otherwise at most once per second.
  ///
  /// - Parameter report: called with nil after the state is saved, with the problem when the save failed, and
  ///   at once with nil when nothing is saved.
  func save(
    _ governor: borrowing Governor, _ generations: PolicyGenerations, watchedTexts: [JournalPolicy],
    isUrgent: Bool, then report: @escaping @Sendable (Problem?) -> Void
  ) {
    guard let writer else { return report(nil) }
    let now = SystemClock.monotonic()
    let begins = state.withLock { state in
      guard !state.isOver, isUrgent || state.nextSave <= now else { return false }
      state.nextSave = MonotonicInstant(nanoseconds: now.nanoseconds + 1_000_000_000)
      return true
    }
    guard begins else { return report(nil) }
    let persisted = PersistedClock(
      ahead: governor.timeZone.ahead, boot: Boot.name, steady: clock.clock.reading(for: governor.now))
    // Copying the governor is cheap for the host; computing its memory is not, so the disk writer does that.
    let governor = copy governor
    let bytes: @Sendable () -> [UInt8] = { [world] in
      DaemonState(
        world: world, generations: generations, seen: watchedTexts, memory: governor.memory, clock: persisted
      ).encoded
    }
    writer.submit(making: bytes) { [self] failure in
      note(failure)
      report(failure)
    }
  }

  /// Waits for the last save. Later requests have no effect. Afterwards `failure` tells whether the file has
  /// the last state.
  func finish(on loop: LoopExecutor) async {
    state.withLock { $0.isOver = true }
    guard await writer?.finish(on: loop, within: Self.timeLimit) == false else { return }
    note(Problem(.late, cause: "the disk did not answer within \(Self.timeLimit)", remedy: "check the disk"))
  }

  /// The problem of the last save; nil when the file has the last state.
  var failure: Problem? {
    guard let path, let failure = state.withLock({ $0.failure }) else { return nil }
    return Problem(
      failure.code, place: path, cause: "the last state is not saved: \(failure.cause)",
      remedy: failure.remedy)
  }

  private func note(_ failure: Problem?) {
    // Log only the first of several consecutive failures. The policies stay in force.
    let isNew = state.withLock { state in
      defer { state.failure = failure }
      return failure != nil && state.failure == nil
    }
    if isNew, let failure, let path { log("the state cannot be saved: \(path): \(failure.cause)") }
  }
}
