import StintFormats
import StintGovernor
import StintJournal
package import StintLanguage
import StintModel
package import StintRuntime
package import StintUnits

/// A requested change of the policies, with the callback for its outcome.
package struct LiveEdit: Sendable {
  package enum Kind: Sendable {
    /// The watched files changed. The closure reads them when the edit is prepared.
    case files(@Sendable () throws -> [SourceText])
    /// A policy text. It replaces the text with the same policy name or file; when there is no such text, it
    /// is added.
    case push(SourceText)
    /// A return to the previous generation of policies.
    case rollback
  }

  var kind: Kind
  var answer: @Sendable (LivePolicies.Outcome) -> Void

  package init(kind: Kind, answer: @escaping @Sendable (LivePolicies.Outcome) -> Void) {
    self.kind = kind
    self.answer = answer
  }

  var origin: PolicyGeneration.Origin {
    switch kind {
    case .files: .file
    case .push: .push
    case .rollback: .rollback
    }
  }
}

/// An edit with the result of its preparation: reading, checking, compiling and verification.
struct PreparedEdit: Sendable {
  enum Result: Sendable {
    case sound(PolicyLoader.Loaded, PreparedProgram, PolicyRecord)
    /// The files did not change.
    case unchanged
    /// There are no policies.
    case empty
    /// The problems as lines of text, and a final sentence about the consequence.
    case refused(String, ending: String)
  }

  var edit: LiveEdit
  var result: Result
}

/// A separate thread prepares edits and makes their reports. The host puts them in force between two of its
/// steps. Steps and requests continue while a policy is checked.
///
/// One edit is prepared at a time, in the order of submission. Of several file changes that wait one after
/// another, only the newest is prepared.
extension LivePolicies {
  /// Submits a change and returns at once. The edit's `answer` receives the outcome.
  package func submit(_ edit: LiveEdit, _ host: isolated Host) {
    state.withLock { state in
      // A waiting file change reads the files when it is prepared, so the newest file change makes the
      // earlier one unnecessary.
      if case .files = edit.kind, case .files? = state.edits.last?.kind { state.edits.removeLast() }
      state.edits.append(edit)
    }
    prepareNext(host)
  }

  /// Puts a prepared edit in force, if there is one. The host calls this function between two steps.
  package func applyPrepared(_ host: isolated Host, at instant: Instant) async {
    for report in drainReports() { host.note(report, at: instant) }
    for edit in drainAnswers() { edit.answer() }
    guard let ready = state.withLock({ $0.ready.take() }) else { return prepareNext(host) }
    guard case .sound(let fresh, let prepared, let record) = ready.result else {
      state.withLock { $0.isPreparing = false }
      if let outcome = outcome(of: ready, at: instant) { ready.edit.answer(outcome) }
      return prepareNext(host)
    }
    let former = loaded
    let reload: Reload
    do throws(Problem) {
      reload = try await host.exchange(prepared, recording: record, at: instant)
    } catch {
      state.withLock { $0.isPreparing = false }
      ready.edit.answer(refusal(error, at: instant))
      return prepareNext(host)
    }
    note(fresh, ready.edit.origin, at: instant)
    let number = state.withLock { state in
      let number = (state.exchanged.last?.number ?? 0) + 1
      state.exchanged.append(AppliedEdit(number: number, edit: ready.edit))
      return number
    }
    // The outcome is reported only after the state is saved, so that a reported change survives a loss
    // of power.
    save(host.snapshot, isUrgent: true) { [self] in
      update(number) { $0.isKept = true }
    }
    let reporting = Promise<Bool>()
    state.withLock { $0.reporting = reporting }
    Spawner.start(on: loop) { [self] in
      let result = await Spawner.runOnThread { [self] in
        let report = reload.report.withSourceText(by: former)
        return (report: report, outcome: outcome(of: report, fresh, ready.edit, at: instant))
      }
      update(number) {
        $0.report = result.report
        $0.outcome = result.outcome
      }
      reporting.fill(true)
    }
  }

  /// Prepares a change and puts it in force before the host runs. When this fails, the current policies stay
  /// in force.
  ///
  /// - Returns: nil when the policies did not change.
  func change(to sources: [SourceText], _ host: isolated Host, at instant: Instant) async -> Outcome? {
    let edit = LiveEdit(kind: .files { sources }, answer: { _ in })
    let governor = host.snapshot
    let result = await Spawner.runOnThread { [self] in prepare(sources, governor) }
    guard case .sound(let fresh, let prepared, let record) = result else {
      return outcome(of: PreparedEdit(edit: edit, result: result), at: instant)
    }
    let former = loaded
    let report: ReloadReport
    do throws(Problem) {
      report = try await host.exchange(prepared, recording: record, at: instant).report.withSourceText(
        by: former)
    } catch {
      return refusal(error, at: instant)
    }
    host.note(report, at: instant)
    note(fresh, edit.origin, at: instant)
    let outcome = outcome(of: report, fresh, edit, at: instant)
    save(host.snapshot, isUrgent: true)
    return outcome
  }

  // MARK: Preparation

  private func prepareNext(_ host: isolated Host) {
    let next = state.withLock { state -> LiveEdit? in
      guard !state.isPreparing, !state.edits.isEmpty else { return nil }
      state.isPreparing = true
      return state.edits.removeFirst()
    }
    guard let next else { return }
    let governor = host.snapshot
    Spawner.start(on: loop) { [self] in
      let result = await Spawner.runOnThread { [self] in prepare(next, governor) }
      state.withLock { $0.ready = PreparedEdit(edit: next, result: result) }
      notify()
    }
  }

  /// Reads the sources of an edit and prepares them, on a separate thread.
  private func prepare(_ edit: LiveEdit, _ governor: Governor) -> PreparedEdit.Result {
    switch edit.kind {
    case .files(let read):
      let sources: [SourceText]
      do { sources = try read() } catch {
        return .refused("\(error)", ending: "nothing was loaded; the current policies stay in force")
      }
      let isNew = see(sources.map { JournalPolicy(file: $0.file, text: $0.text) })
      // On a site, changes of the site file and of unrelated files in the folder also submit an edit. Such an
      // edit changes no policy.
      guard isNew || stage.site == nil else { return .unchanged }
      return prepare(sources, governor)
    case .push(let source): return prepare(replacing(source), governor)
    case .rollback:
      guard let previous = generations.previous else {
        return .refused("there is no earlier generation", ending: "")
      }
      return prepare(previous.policies.map { SourceText(file: $0.file, text: $0.text) }, governor)
    }
  }

  /// Returns the texts in force with `source`. The new text replaces the text with its policy name or file;
  /// when there is no such text, it is added.
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
      return .sound(
        fresh, try governor.prepare(program), PolicyRecord(fresh.journalPolicies, program))
    } catch let refusal as PolicyRefusal {
      return .refused(
        refusal.check.text(.plain), ending: "the edit is refused; the current policies stay in force")
    } catch {
      return .refused("\(error)", ending: "nothing was loaded; the current policies stay in force")
    }
  }
}
