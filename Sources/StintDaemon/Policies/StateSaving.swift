import StintGovernor
import StintJournal
import StintModel
import StintRuntime
import StintUnits

/// Saves the policies and the governor of a daemon in its state file, on the thread of the disk.
///
/// A save that failed is repeated every five seconds until it succeeds. A change of the policies that an
/// operator or an app requests is saved before it comes into force, so that it is either durable or refused.
final class StateSaving: Sendable {
  private struct State {
    var nextSave = MonotonicInstant(nanoseconds: 0)
    /// The problem of the last save; nil when it succeeded.
    var failure: Problem?
    /// True after the last save was requested.
    var isOver = false
    /// The policies that come into force next and are already saved. Every save contains them, so that no
    /// save replaces them by the former policies. Nil when no change is in progress.
    var coming: PolicyGenerations?
    /// Makes the newest content.
    var newest: (@Sendable () -> [UInt8])?
    /// Cancels the repetition of a failed save; nil when none is planned.
    var cancelRetry: (@Sendable () -> Void)?
  }

  /// The maximum wait for the last save at the end of the run.
  private static let timeLimit = TimeSpan.seconds(10)
  /// The maximum wait for a save before a change comes into force. Later changes wait meanwhile.
  private static let changeLimit = TimeSpan.seconds(60)
  /// The time between a failed save and its repetition.
  private static let retryPause = TimeSpan.seconds(5)

  /// The disk that stores the state; a simulated fault can fill it.
  let disk = DiskFullSwitch()
  private let path: String?
  private let writer: DiskWriter?
  private let world: JournalWorld
  private let clock: WallClock
  private let loop: LoopExecutor
  private let log: @Sendable (String) -> Void
  private let state = Locked(State())

  /// - Parameter path: the path of the state file; nil to save nothing.
  init(
    at path: String?, of world: JournalWorld, clock: WallClock, on loop: LoopExecutor,
    log: @escaping @Sendable (String) -> Void
  ) {
    self.path = path
    writer = path.map { [disk] in DiskWriter(path: $0, room: disk) }
    self.world = world
    self.clock = clock
    self.loop = loop
    self.log = log
  }

  /// The reason why the state is not saved; nil when the last save succeeded.
  var problem: String? {
    guard let path, let failure = state.withLock({ $0.failure }) else { return nil }
    return "the state is not saved: \(path): \(failure.cause)"
  }

  /// Requests a save: at once when it is urgent, otherwise at most once per second.
  func save(
    _ governor: borrowing Governor, _ generations: PolicyGenerations, watchedTexts: [JournalPolicy],
    isUrgent: Bool
  ) {
    guard let writer else { return }
    let now = SystemClock.monotonic()
    let coming = state.withLock { state -> PolicyGenerations? in
      guard !state.isOver, isUrgent || state.nextSave <= now else { return nil }
      state.nextSave = now + .seconds(1)
      return state.coming ?? generations
    }
    guard let coming else { return }
    let content = content(governor, coming, watchedTexts)
    state.withLock { $0.newest = content }
    writer.submit(making: content) { [self] in note($0) }
  }

  /// Saves policies that will come into force. Waits until they are on the disk; later saves contain them
  /// until `endChange()`.
  ///
  /// - Returns: the reason why they cannot be saved; nil when they are saved or nothing is to be saved.
  func saveFirst(
    _ governor: borrowing Governor, _ generations: PolicyGenerations, watchedTexts: [JournalPolicy]
  ) async -> Problem? {
    guard let writer, !state.withLock({ $0.isOver }) else { return nil }
    let content = content(governor, generations, watchedTexts)
    state.withLock { ($0.coming, $0.newest) = (generations, content) }
    let done = Promise<Problem?>()
    let cancel = loop.call(after: Self.changeLimit) { done.fill(Self.lateness(Self.changeLimit)) }
    writer.submit(making: content) { done.fill($0) }
    defer { cancel() }
    return await done.value()
  }

  /// Ends the change that `saveFirst` began: the next save contains the policies that are passed to it.
  func endChange() { state.withLock { $0.coming = nil } }

  /// Copying the governor is cheap for the host; computing its memory is not, so the disk writer does that.
  private func content(
    _ governor: borrowing Governor, _ generations: PolicyGenerations, _ watchedTexts: [JournalPolicy]
  ) -> @Sendable () -> [UInt8] {
    let persisted = PersistedClock(
      ahead: governor.timeZone.ahead, boot: Boot.name, steady: clock.clock.reading(for: governor.now))
    let governor = copy governor
    return { [world] in
      DaemonState(
        world: world, generations: generations, seen: watchedTexts, memory: governor.memory, clock: persisted
      ).encoded
    }
  }

  /// Waits for the last save. Later requests have no effect. Afterwards `failure` is nil if the file has the
  /// last state.
  func finish(on loop: LoopExecutor) async {
    let cancel = state.withLock { state in
      state.isOver = true
      return state.cancelRetry.take()
    }
    cancel?()
    guard await writer?.finish(on: loop, within: Self.timeLimit) == false else { return }
    note(Self.lateness(Self.timeLimit))
  }

  private static func lateness(_ limit: TimeSpan) -> Problem {
    Problem(.late, cause: "the disk did not answer within \(limit)", remedy: "check the disk")
  }

  /// The problem of the last save; nil when the file has the last state.
  var failure: Problem? {
    guard let path, let failure = state.withLock({ $0.failure }) else { return nil }
    return Problem(
      failure.code, place: path, cause: "the last state is not saved: \(failure.cause)",
      remedy: failure.remedy)
  }

  /// Notes the result of a save. Logs the first failure and the success after it, and repeats failed saves.
  private func note(_ failure: Problem?) {
    let (wasFailing, mustRetry) = state.withLock { state in
      let wasFailing = state.failure != nil
      state.failure = failure
      return (wasFailing, failure != nil && !state.isOver && state.cancelRetry == nil)
    }
    if wasFailing != (failure != nil), let path {
      log(
        failure.map { "the state cannot be saved: \(path): \($0.cause)" }
          ?? "the state is saved again: \(path)")
    }
    guard mustRetry else { return }
    let cancel = loop.call(after: Self.retryPause) { [weak self] in self?.retry() }
    state.withLock { $0.cancelRetry = cancel }
  }

  private func retry() {
    let content = state.withLock { state in
      state.cancelRetry = nil
      return state.isOver || state.failure == nil ? nil : state.newest
    }
    if let content { writer?.submit(making: content) { [self] in note($0) } }
  }
}
