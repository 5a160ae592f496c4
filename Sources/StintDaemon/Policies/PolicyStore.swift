package import StintFormats
package import StintGovernor
import StintJournal
package import StintLanguage
import StintModel
package import StintRuntime
package import StintUnits

/// The policies of a running daemon: the policies in force, earlier generations, waiting edits, and the state
/// file.
///
/// A separate thread prepares edits and makes their reports. The host puts the edits in force between two of
/// its steps. Steps and requests continue while a policy is checked.
package final class PolicyStore: Sendable {
  private struct State {
    var loaded: PolicyLoader.Loaded
    /// The policies that an exchange puts in force at present; nil outside of an exchange.
    var entering: PolicyLoader.Loaded?
    var generations: PolicyGenerations
    /// The last known contents of the watched files.
    var watchedTexts: [JournalPolicy]
    var reports: [JSONValue] = []
    var edits = EditQueue()
    /// The reason and the instant of the refusal of the watched files; nil when their content is in force.
    var refusedFiles: (text: String, at: Instant)?
    /// The reason why the watched files cannot be read, and the instant of the attempt. Nil when the files
    /// can be read.
    var unreadFiles: (text: String, at: Instant)?
    /// Completes when the report of the newest edit in force exists.
    var reporting: Promise<Bool>?
  }

  /// The wall clock of the run, for the times in outcomes.
  package let wallClock: WallClock
  private let vocabulary: Vocabulary
  /// True when an edit of files with unchanged texts has no effect.
  private let ignoresUnchangedFiles: Bool
  private let saving: StateSaving
  private let log: RunLog
  private let loop: LoopExecutor
  private let files: FileWorker
  /// The path of the watched files, for messages.
  private let watchedPath: String
  /// Notifies the host that a result is ready. May be called on any thread.
  private let notify: @Sendable () -> Void
  /// Checks and compiles policies, on a separate thread.
  private let load: @Sendable ([SourceText]) throws -> PolicyLoader.Loaded
  private let state: Locked<State>

  /// Creates the store of a run.
  ///
  /// - Parameters:
  ///   - kept: the saved state of the previous daemon process; nil without a saved state.
  ///   - stateFile: nil to save nothing.
  ///   - files: reads the watched files on other threads.
  ///   - watched: the path of the watched files, for messages.
  ///   - load: checks and compiles policies; throws `PolicyRejection` for policies with errors.
  package init(
    setup: DaemonSetup, wallClock: WallClock, loaded: PolicyLoader.Loaded, kept: DaemonState?,
    in stateFile: DurableFile?, on loop: LoopExecutor, files: FileWorker, watched: String,
    notify: @escaping @Sendable () -> Void,
    load: @escaping @Sendable ([SourceText]) throws -> PolicyLoader.Loaded,
    log: RunLog
  ) {
    vocabulary = setup.vocabulary
    // On a site, changes of the site file and of unrelated files in the folder also submit an edit.
    ignoresUnchangedFiles = !setup.isSimulated
    self.wallClock = wallClock
    saving = StateSaving(in: stateFile, of: setup.journalWorld, clock: wallClock)
    self.log = log
    self.loop = loop
    self.files = files
    watchedPath = watched
    self.notify = notify
    self.load = load
    state = Locked(
      State(
        loaded: loaded, generations: kept?.generations ?? PolicyGenerations(),
        watchedTexts: kept?.watchedPolicies ?? loaded.journalPolicies))
  }

  /// The policies in force.
  package var loaded: PolicyLoader.Loaded { state.withLock { $0.loaded } }
  /// The policies of the governor: the policies in force or, during an exchange, the new policies.
  var entered: PolicyLoader.Loaded { state.withLock { $0.entering ?? $0.loaded } }
  /// The policies in force, and earlier generations of policies.
  package var generations: PolicyGenerations { state.withLock { $0.generations } }
  /// The reports of the reloads since the start of the daemon, as JSON; the newest 1,024.
  package var reports: [JSONValue] { state.withLock { $0.reports } }
  /// The reason why the watched files are not in force, and the instant of their refusal. Nil when the files
  /// are in force.
  var refusedFiles: (text: String, at: Instant)? { state.withLock { $0.unreadFiles ?? $0.refusedFiles } }
  var hasUnreadFiles: Bool { state.withLock { $0.unreadFiles != nil } }
  /// The reason why the last state is not saved. Nil when it is saved, and without a state file.
  var saveFailure: StintUnits.Problem? { saving.failure }

  /// Records the texts of the watched files. Returns true when they changed.
  func noteWatchedTexts(_ sources: [SourceText]) -> Bool {
    let texts = sources.map { JournalPolicy(file: $0.file, text: $0.text) }
    return state.withLock { state in
      defer { state.watchedTexts = texts }
      return state.watchedTexts != texts
    }
  }

  // MARK: Changes

  /// Puts the first policies in force, with the governor state that the previous daemon process saved.
  package func begin(_ host: isolated Host, recalling memory: GovernorMemory?, at instant: Instant) async {
    let loaded = loaded
    guard let program = loaded.program else { return }
    do throws(Problem) {
      try await host.load(program, policies: loaded.journalPolicies, at: instant, recalling: memory)
    } catch {
      // A failed load leaves no partial state: the devices run without policies until a later edit succeeds.
      log.problem("\(LocalMoment(instant, wallClock.rules)) the policies cannot be put in force: \(error)")
      return
    }
    note(loaded, .file, at: instant)
    save(host.snapshot, isUrgent: true)
  }

  /// Submits a change and returns at once. The edit's `answer` receives the outcome; nil after `finish`.
  package func submit(_ edit: PolicyEdit, _ host: isolated Host) {
    if enqueue(edit) { prepareNext(host) }
  }

  /// Queues a change; the caller then calls `prepareNext`. Returns false after `finish`.
  func enqueue(_ edit: PolicyEdit) -> Bool {
    let isQueued = state.withLock { $0.edits.submit(edit) }
    if !isQueued { edit.answer(nil) }
    return isQueued
  }

  /// Puts the prepared edit in force, if there is one. Returns true when an edit came into force. The host
  /// calls this function between two steps.
  @discardableResult
  package func applyPrepared(_ host: isolated Host, at instant: Instant) async -> Bool {
    guard let ready = nextAccepted(host, at: instant),
      case .accepted(let fresh, let prepared, let record) = ready.result
    else { return false }
    let former = loaded
    // The exchange reports grants under the new policies before it returns.
    state.withLock { $0.entering = fresh }
    defer { state.withLock { $0.entering = nil } }
    do throws(Problem) {
      let reload = try await host.exchange(prepared, recording: record, at: instant)
      enter(reload, of: ready, insteadOf: former, host, at: instant)
      return true
    } catch { refuse(ready, error, host, at: instant) }
    return false
  }

  // The functions marked `@inline(never)` have copies of the governor. If these functions were inlined, the
  // task of the run would reserve 47 kB for the copies.

  /// Returns the prepared edit when it is accepted, so that the caller puts it in force. Answers an edit that
  /// is not accepted, and returns nil.
  @inline(never)
  private func nextAccepted(_ host: isolated Host, at instant: Instant) -> PreparedEdit? {
    reportEdits(to: host, at: instant)
    guard let ready = state.withLock({ $0.edits.takePrepared() }) else {
      prepareNext(host)
      return nil
    }
    if case .accepted = ready.result { return ready }
    let outcome = outcome(of: ready.result, at: instant)
    noteRefusal(ready, at: instant)
    if var outcome {
      outcome.author = ready.author
      ready.edit.answer(outcome)
    }
    prepareNext(host)
    return nil
  }

  /// Answers an accepted edit that could not be put in force.
  @inline(never)
  private func refuse(
    _ ready: PreparedEdit, _ problem: StintUnits.Problem, _ host: isolated Host, at instant: Instant
  ) {
    state.withLock { $0.edits.recordRefusal() }
    saving.endChange()
    save(host.snapshot, isUrgent: true)
    if ready.edit.origin == .file { noteRefusedFiles("\(problem)", at: instant) }
    ready.edit.answer(refusal(problem, at: instant))
    prepareNext(host)
  }

  /// Records the policies that are now in force, saves the state, and begins the report of the edit.
  @inline(never)
  private func enter(
    _ reload: Reload, of ready: PreparedEdit, insteadOf former: PolicyLoader.Loaded, _ host: isolated Host,
    at instant: Instant
  ) {
    guard case .accepted(let fresh, _, _) = ready.result else { return }
    note(fresh, ready.edit.origin, at: instant)
    let number = state.withLock { $0.edits.recordApplied(ready.edit) }
    saving.endChange()
    save(host.snapshot, isUrgent: true)
    let reporting = Promise<Bool>()
    state.withLock { $0.reporting = reporting }
    Spawner.start(on: loop) { [self] in
      let result = await Spawner.runOnThread { [self] in
        let report = reload.report.withSourceText(by: former, now: fresh)
        var outcome = outcome(of: report, fresh, ready.edit, at: instant)
        outcome.author = ready.author
        return (report: report, outcome: outcome)
      }
      state.withLock { $0.edits.note(result.report, result.outcome, of: number) }
      notify()
      reporting.fill(true)
    }
  }

  /// Prepares a change and puts it in force before the host runs. When this fails, the current policies stay
  /// in force.
  ///
  /// - Returns: nil when the policies did not change.
  func change(to sources: [SourceText], _ host: isolated Host, at instant: Instant) async -> Outcome? {
    let edit = PolicyEdit(kind: .files { sources }) { _ in }
    let governor = host.snapshot
    let result = await Spawner.runOnThread { [self] in PreparedEdit.Result(governor) { try load(sources) } }
    guard case .accepted(let fresh, let prepared, let record) = result else {
      defer { noteRefusal(PreparedEdit(edit: edit, result: result), at: instant) }
      return outcome(of: result, at: instant)
    }
    let former = loaded
    let report: ReloadReport
    do throws(Problem) {
      report = try await host.exchange(prepared, recording: record, at: instant).report.withSourceText(
        by: former, now: fresh)
    } catch {
      return refusal(error, at: instant)
    }
    host.note(report, at: instant)
    note(fresh, edit.origin, at: instant)
    let outcome = outcome(of: report, fresh, edit, at: instant)
    save(host.snapshot, isUrgent: true)
    return outcome
  }

  /// Gives the journal the reports of applied edits, and answers the edits that are complete.
  @inline(never)
  private func reportEdits(to host: isolated Host, at instant: Instant) {
    for report in state.withLock({ $0.edits.drainReports() }) { host.note(report, at: instant) }
    for edit in state.withLock({ $0.edits.drainAnswered() }) { edit() }
  }

  /// Records the policies that are in force now.
  private func note(_ fresh: PolicyLoader.Loaded, _ origin: PolicyGeneration.Origin, at instant: Instant) {
    state.withLock { state in
      state.loaded = fresh
      if origin == .file { (state.refusedFiles, state.unreadFiles) = (nil, nil) }
      state.generations.note(fresh.journalPolicies, origin, at: instant)
    }
  }

  /// Records that the content of the watched files is not in force. Refused pushes are not recorded, because
  /// their callers get the reason as the answer.
  private func noteRefusal(_ prepared: PreparedEdit, at instant: Instant) {
    guard prepared.edit.origin == .file else { return }
    switch prepared.result {
    case .unread(let text): state.withLock { $0.unreadFiles = (text, instant) }
    case .refused(let text, _, _): noteRefusedFiles(text, at: instant)
    case .empty: noteRefusedFiles("the files contain no policies", at: instant)
    case .unchanged: state.withLock { $0.unreadFiles = nil }
    case .accepted: break
    }
  }

  private func noteRefusedFiles(_ text: String, at instant: Instant) {
    state.withLock { ($0.refusedFiles, $0.unreadFiles) = ((text, instant), nil) }
  }

  // MARK: Preparation

  /// Begins the preparation of the next edit, if there is one and the previous edit is complete.
  @inline(never)
  func prepareNext(_ host: isolated Host) {
    guard let next = state.withLock({ $0.edits.beginPreparation() }) else { return }
    let governor = host.snapshot
    Spawner.start(on: loop) { [self] in
      var prepared = PreparedEdit(edit: next, result: await result(of: next, governor))
      if let refusal = await saveFirst(prepared, governor) { prepared.result = refusal }
      if let author = next.author { prepared.note(await Spawner.runOnThread(author)) }
      state.withLock { [prepared] in $0.edits.endPreparation(prepared) }
      notify()
    }
  }

  /// Saves the policies of an accepted push or rollback before they come into force. Changed files are read
  /// again at the next start, so they need no save.
  ///
  /// - Returns: the refusal when they cannot be saved; otherwise nil.
  private func saveFirst(_ prepared: PreparedEdit, _ governor: Governor) async -> PreparedEdit.Result? {
    guard case .accepted(let fresh, _, _) = prepared.result, prepared.edit.origin != .file else { return nil }
    var (generations, texts) = state.withLock { ($0.generations, $0.watchedTexts) }
    generations.note(fresh.journalPolicies, prepared.edit.origin, at: governor.now)
    guard let failure = await saving.saveFirst(governor, generations, watchedTexts: texts) else { return nil }
    saving.endChange()
    save(governor, isUrgent: true)
    let cause = "the change cannot be saved: \(failure.cause)"
    return .refused(
      cause, ending: "nothing was changed",
      cause: StintUnits.Problem(.notSaved, place: failure.place, cause: cause, remedy: failure.remedy))
  }

  /// Reads the sources of an edit and prepares them, on separate threads. An edit whose file does not respond
  /// in time is refused, so that other edits need not wait. When the file responds, the edit is repeated.
  private func result(of edit: PolicyEdit, _ governor: Governor) async -> PreparedEdit.Result {
    guard case .files(let read) = edit.kind else {
      return await Spawner.runOnThread { [self] in prepare(edit, nil, governor) }
    }
    do {
      let sources = try await files.run(
        "reading the policies", watchedPath,
        whenLate: { [self] in
          if enqueue(edit) { notify() }
        }, { Result { try read() } }
      ).get()
      return await Spawner.runOnThread { [self] in prepare(edit, sources, governor) }
    } catch {
      return .unread("\(error)")
    }
  }

  /// Prepares an edit, on a separate thread.
  ///
  /// - Parameter sources: the texts of an edit of files.
  private func prepare(
    _ edit: PolicyEdit, _ sources: [SourceText]?, _ governor: Governor
  ) -> PreparedEdit.Result {
    switch edit.kind {
    case .files:
      let sources = sources ?? []
      let isNew = noteWatchedTexts(sources)
      guard isNew || !ignoresUnchangedFiles else { return .unchanged }
      return PreparedEdit.Result(governor) { try load(sources) }
    case .push(let source): return PreparedEdit.Result(governor) { try load(loaded.replacing(source)) }
    case .supplied(let load): return PreparedEdit.Result(governor, load)
    case .rollback:
      guard let previous = generations.previous else {
        return .refused("there is no earlier generation", ending: "")
      }
      let sources = previous.policies.map { SourceText(file: $0.file, text: $0.text) }
      return PreparedEdit.Result(governor) { try load(sources) }
    }
  }

  // MARK: Outcomes

  /// Returns the outcome of an edit in force and adds its report to the reports of the run.
  private func outcome(
    of report: ReloadReport, _ fresh: PolicyLoader.Loaded, _ edit: PolicyEdit, at instant: Instant
  ) -> Outcome {
    let time = LocalMoment(instant, wallClock.rules)
    state.withLock { state in
      if state.reports.count >= 1024 { state.reports.removeFirst() }
      state.reports.append([
        "at": JSONValue("\(time)"), "origin": JSONValue(edit.origin.rawValue), "state": report.json,
      ])
    }
    let names = fresh.policies.map { "\($0.name) version \($0.version)" }.joined(separator: ", ")
    let lines = report.entries.isEmpty ? "" : "\n" + report.text
    let warnings = fresh.warnings(vocabulary).map { "\n\(time) warning: \($0)" }.joined()
    return Outcome(isDone: true, text: "\(time) \(edit.verb) \(names): \(report.summary)\(lines)\(warnings)")
  }

  /// Requests a save of the state: at once when it is urgent, otherwise at most once per second.
  func save(_ governor: borrowing Governor, isUrgent: Bool) {
    let (generations, texts) = state.withLock { ($0.generations, $0.watchedTexts) }
    // A state without policies cannot be continued.
    guard generations.current != nil else { return }
    saving.save(governor, generations, watchedTexts: texts, isUrgent: isUrgent)
  }

  /// Requests the last save of the state, and completes the reports of edits. Later edits are refused.
  /// Demands that are released afterwards remain in the saved state.
  package func beginEnd(_ host: isolated Host, at instant: Instant) async {
    saving.endChange()
    save(host.snapshot, isUrgent: true)
    saving.beginEnd()
    _ = await state.withLock { $0.reporting }?.value()
    reportEdits(to: host, at: instant)
  }

  /// Waits for the last save. Then answers all edits that have no answer yet.
  package func finish(by deadline: EndDeadline) async {
    await saving.finish(by: deadline)
    for edit in state.withLock({ $0.edits.close() }) { edit.answer(nil) }
  }
}
