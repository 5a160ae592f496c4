import StintFormats
import StintGovernor
import StintJournal
import StintLanguage
import StintModel
import StintRuntime
import StintUnits

/// A change of the policies that was asked for, and who hears what became of it.
struct LiveEdit: Sendable {
  enum Kind: Sendable {
    /// The watched files changed: what they hold when the edit's turn comes.
    case files(@Sendable () throws -> [SourceText])
    /// One policy takes the place of that of its name, or stands beside the others.
    case push(SourceText)
    /// The generation before comes back.
    case rollback
  }

  var kind: Kind
  var answer: @Sendable (LivePolicies.Outcome) -> Void

  var origin: PolicyGeneration.Origin {
    switch kind {
    case .files: .file
    case .push: .push
    case .rollback: .rollback
    }
  }
}

/// An edit that was read, checked, compiled, verified and prepared, or the reason why not.
struct PreparedEdit: Sendable {
  enum Result: Sendable {
    case sound(PolicyLoader.Loaded, PreparedProgram)
    /// The files are as they were.
    case unchanged
    /// There are no policies.
    case empty
    /// The lines that say what is wrong, and what follows.
    case refused(String, ending: String)
  }

  var edit: LiveEdit
  var result: Result
}

/// Edits are prepared on a thread of their own and exchanged between two steps of the host: however long it takes to
/// check a policy, steps and questions go on meanwhile.
///
/// One edit is prepared at a time, in the order in which they came; of file changes that wait, the newest counts.
extension LivePolicies {
  /// Asks for a change and returns at once; `answer` hears what became of it.
  func submit(_ edit: LiveEdit, _ host: isolated Host) {
    state.withLock { state in
      // What waits reads the files when its turn comes.
      if case .files = edit.kind, case .files? = state.edits.last?.kind { state.edits.removeLast() }
      state.edits.append(edit)
    }
    prepareNext(host)
  }

  /// Puts in force what has been prepared since; the host calls it between two steps.
  func settle(_ host: isolated Host, at instant: Instant) async {
    answerEdits()
    guard let ready = state.withLock({ $0.ready.take() }) else { return }
    let outcome = await enter(ready, host, at: instant)
    state.withLock { $0.isPreparing = false }
    prepareNext(host)
    guard let outcome else { return }
    guard outcome.isDone, isKept else { return ready.edit.answer(outcome) }
    // What is said to be in force is in force after a loss of power too.
    save(host.snapshot, isUrgent: true) { [self] in
      state.withLock { $0.answers.append { ready.edit.answer(outcome) } }
      notify()
    }
  }

  /// Prepares a change and puts it in force before the host runs; what was in force stays where that fails.
  func change(to sources: [SourceText], _ host: isolated Host, at instant: Instant) async -> Outcome? {
    let edit = LiveEdit(kind: .files { sources }, answer: { _ in })
    let governor = host.snapshot
    let result = await Spawner.aside { [self] in prepare(sources, governor) }
    let outcome = await enter(PreparedEdit(edit: edit, result: result), host, at: instant)
    if outcome?.isDone == true { save(host.snapshot, isUrgent: true) }
    return outcome
  }

  /// Says what became of edits that are in force and on the disk.
  func answerEdits() {
    let answers = state.withLock { state in
      defer { state.answers = [] }
      return state.answers
    }
    for answer in answers { answer() }
  }

  // MARK: Preparing

  private func prepareNext(_ host: isolated Host) {
    let next = state.withLock { state -> LiveEdit? in
      guard !state.isPreparing, !state.edits.isEmpty else { return nil }
      state.isPreparing = true
      return state.edits.removeFirst()
    }
    guard let next else { return }
    let governor = host.snapshot
    Spawner.start(on: loop) { [self] in
      let result = await Spawner.aside { [self] in prepare(next, governor) }
      state.withLock { $0.ready = PreparedEdit(edit: next, result: result) }
      notify()
    }
  }

  /// Reads what the edit is about, and prepares it; on a thread of its own.
  private func prepare(_ edit: LiveEdit, _ governor: Governor) -> PreparedEdit.Result {
    switch edit.kind {
    case .files(let read):
      let sources: [SourceText]
      do { sources = try read() } catch {
        return .refused("\(error)", ending: "nothing was loaded; what was in force stays")
      }
      let isNew = see(sources.map { JournalPolicy(file: $0.file, text: $0.text) })
      // In the folder of a site, other files change too.
      guard isNew || stage.site == nil else { return .unchanged }
      return prepare(sources, governor)
    case .push(let source): return prepare(replacing(source), governor)
    case .rollback:
      guard let previous = generations.previous else {
        return .refused("there is no generation before the one in force", ending: "")
      }
      return prepare(previous.policies.map { SourceText(file: $0.file, text: $0.text) }, governor)
    }
  }

  /// The texts in force, with one in place of that of its name or its file.
  private func replacing(_ source: SourceText) -> [SourceText] {
    let name = Parser.parse(source).file.name?.text
    let former = loaded
    let replaced = former.policies.first { $0.name == name }?.file
    var sources = former.sources
    if let place = sources.firstIndex(where: { $0.file == replaced || $0.file == source.file }) {
      sources[place] = source
    } else {
      sources.append(source)
    }
    return sources
  }

  private func prepare(_ sources: [SourceText], _ governor: Governor) -> PreparedEdit.Result {
    do {
      let fresh = try load(sources)
      guard let program = fresh.program else { return .empty }
      return .sound(fresh, try governor.prepare(program))
    } catch let refusal as PolicyRefusal {
      return .refused(refusal.check.text(.plain), ending: "the edit is refused; what was in force stays")
    } catch {
      return .refused("\(error)", ending: "nothing was loaded; what was in force stays")
    }
  }

  // MARK: Exchanging

  /// Puts a prepared edit in force; nil where there was nothing to change.
  private func enter(
    _ ready: PreparedEdit, _ host: isolated Host, at instant: Instant
  ) async -> Outcome? {
    let time = LocalMoment(instant, wallClock.rules)
    switch ready.result {
    case .unchanged: return nil
    case .empty: return Outcome(isDone: false, text: "\(time) there are no policies; what was in force stays")
    case .refused(let text, let ending):
      return Outcome(isDone: false, text: ending.isEmpty ? text : "\(text)\n\(time) \(ending)")
    case .sound(let fresh, let prepared):
      let former = loaded
      let report: ReloadReport
      do throws(ReloadError) {
        report = try await host.load(prepared, policies: fresh.journalPolicies, at: instant)
          .worded(by: former)
      } catch {
        return Outcome(
          isDone: false, text: "\(time) \(error)\n\(time) nothing was loaded; what was in force stays")
      }
      note(fresh, ready.edit.origin, report, at: instant)
      let verb =
        switch ready.edit.kind {
        case .rollback: "went back to"
        case .push: "switched to"
        case .files: "reloaded"
        }
      let names = fresh.policies.map { "\($0.name) version \($0.version)" }.joined(separator: ", ")
      let lines = report.entries.isEmpty ? "" : "\n" + report.text
      return Outcome(isDone: true, text: "\(time) \(verb) \(names): \(report.summary)\(lines)")
    }
  }

  private func note(
    _ fresh: PolicyLoader.Loaded, _ origin: PolicyGeneration.Origin, _ report: ReloadReport,
    at instant: Instant
  ) {
    if origin == .rollback {
      state.withLock { state in
        state.generations.goBack(at: instant)
        state.loaded = fresh
      }
    } else {
      enter(fresh, origin, at: instant)
    }
    let time = LocalMoment(instant, wallClock.rules)
    state.withLock { state in
      state.reports.append([
        "at": JSONValue("\(time)"), "origin": JSONValue(origin.rawValue), "state": report.json,
      ])
    }
  }
}
