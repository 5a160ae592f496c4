package import StintJournal
import StintModel
package import StintRuntime
import StintUnits

/// A file whose newest content must reach the disk, written on a thread of its own.
///
/// A save that failed is repeated every five seconds until it succeeds; until then, `status` names the file.
/// A requested change is saved before it is applied, so that it is either durable or refused.
package final class DurableFile: Sendable {
  /// Makes the content of the file, on the thread that writes it.
  typealias Content = @Sendable () -> [UInt8]

  private struct State {
    /// The problem of the last save; nil when it succeeded.
    var failure: Problem?
    /// True while a save takes longer than `FileWorker.timeout`.
    var isDelayed = false
    /// True after the last save was requested.
    var isOver = false
    /// Makes the newest content.
    var newest: Content?
    /// Cancels the repetition of a failed save; nil when none is planned.
    var cancelRetry: (@Sendable () -> Void)?
  }

  /// The maximum wait for a save before a change is applied. Later changes wait meanwhile.
  private static let changeLimit = TimeSpan.seconds(60)
  /// The time between a failed save and its repetition.
  private static let retryPause = TimeSpan.seconds(5)

  let path: String
  /// The content as the subject of a sentence: “the state”.
  private let subject: String
  private let writer: DiskWriter
  private let loop: LoopExecutor
  private let files: FileWorker
  private let log: RunLog
  private let state = Locked(State())

  /// - Parameters:
  ///   - subject: the content in the singular, as the subject of a sentence: “the state”.
  ///   - disk: the disk, which a simulated fault can fill.
  ///   - files: receives the problem of the file for `status`.
  package init(
    at path: String, of subject: String, disk: DiskFullSwitch, on loop: LoopExecutor, files: FileWorker,
    log: RunLog
  ) {
    self.path = path
    self.subject = subject
    writer = DiskWriter(path: path, room: disk)
    self.loop = loop
    self.files = files
    self.log = log
  }

  /// True after `beginEnd()`: later saves have no effect.
  var isOver: Bool { state.withLock { $0.isOver } }

  /// The problem of the last save; nil when the file has the last content.
  var failure: Problem? {
    state.withLock { $0.failure }.map { failure in
      Problem(
        failure.code, place: path, cause: "\(subject) is not saved: \(failure.cause)", remedy: failure.remedy)
    }
  }

  /// Saves content. Repeats a failed save until a save succeeds.
  func save(_ content: @escaping Content) {
    let isOver = state.withLock { state in
      state.newest = content
      return state.isOver
    }
    guard !isOver else { return }
    write(content) { [self] in note($0) }
  }

  /// Saves the content of a change that is not applied yet. Waits until the content is on the disk. Does not
  /// repeat a failed save. After a problem with the code `timedOut`, the caller saves the former content
  /// again, because the disk may still write the new content.
  ///
  /// - Returns: the reason why the content cannot be saved; nil when it is saved.
  func saveFirst(_ content: @escaping Content) async -> Problem? {
    let (former, isOver) = state.withLock { state in
      defer { if !state.isOver { state.newest = content } }
      return (state.newest, state.isOver)
    }
    guard !isOver else { return Problem(.closed, cause: "the run ends") }
    let done = Promise<Problem?>()
    let cancel = loop.call(after: Self.changeLimit) { done.fill(Self.lateness(Self.changeLimit)) }
    write(content) { done.fill($0) }
    defer { cancel() }
    let failure = await done.value()
    if failure != nil { state.withLock { $0.newest = former } }
    return failure
  }

  /// Ends the saving: later saves have no effect, and later changes are refused.
  func beginEnd() {
    let cancel = state.withLock { state in
      state.isOver = true
      return state.cancelRetry.take()
    }
    cancel?()
  }

  /// Waits for the last save, which must have been requested before `beginEnd()`. Afterwards `failure` is
  /// nil if the file has the last content.
  func finish(within limit: TimeSpan) async {
    guard await !writer.finish(on: loop, within: limit) else { return }
    note(Self.lateness(limit))
  }

  /// Writes content on the thread of the writer. When the disk does not answer, this is logged, and `status`
  /// names the file until the disk answers.
  private func write(_ content: @escaping Content, report: @escaping @Sendable (Problem?) -> Void) {
    let cancel = loop.call(after: FileWorker.timeout) { [weak self] in self?.note(isDelayed: true) }
    writer.submit(making: content) { [self] failure in
      cancel()
      note(isDelayed: false)
      report(failure)
    }
  }

  private func note(isDelayed: Bool) {
    let wasDelayed = state.withLock { state in
      defer { state.isDelayed = isDelayed }
      return state.isDelayed
    }
    guard wasDelayed != isDelayed else { return }
    publish()
    if isDelayed {
      log.problem("\(subject) is not saved yet: \(path): the disk does not answer")
    } else {
      log("the disk answers again: \(path)")
    }
  }

  /// Sets the problem of the file for `status`.
  private func publish() {
    let problem = state.withLock { state -> String? in
      if state.isDelayed { return "\(subject) is not saved yet: \(path): the disk does not answer" }
      return state.failure.map { "\(subject) is not saved: \(path): \($0.cause)" }
    }
    files.set(problem, for: path)
  }

  private static func lateness(_ limit: TimeSpan) -> Problem {
    Problem(.timedOut, cause: "the disk did not answer within \(limit)", remedy: "check the disk")
  }

  /// Notes the result of a save. Logs the first failure and the success after it, and repeats failed saves.
  private func note(_ failure: Problem?) {
    let (wasFailing, mustRetry) = state.withLock { state in
      let wasFailing = state.failure != nil
      state.failure = failure
      return (wasFailing, failure != nil && !state.isOver && state.cancelRetry == nil)
    }
    if wasFailing != (failure != nil) {
      if let failure {
        log.problem("\(subject) cannot be saved: \(path): \(failure.cause)")
      } else {
        log("saving \(subject) works again: \(path)")
      }
    }
    publish()
    guard mustRetry else { return }
    let cancel = loop.call(after: Self.retryPause) { [weak self] in self?.retry() }
    state.withLock { $0.cancelRetry = cancel }
  }

  private func retry() {
    let content = state.withLock { state in
      state.cancelRetry = nil
      return state.isOver || state.failure == nil ? nil : state.newest
    }
    if let content { write(content) { [self] in note($0) } }
  }
}
