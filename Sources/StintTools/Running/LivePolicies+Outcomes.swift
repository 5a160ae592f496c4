import StintFormats
import StintGovernor
import StintLanguage
import StintModel
import StintRuntime
import StintUnits

/// An edit in force. Its caller receives the outcome when the report exists and the state is saved, which
/// happen in either order.
struct AppliedEdit: Sendable {
  let number: Int
  let edit: LiveEdit
  var outcome: LivePolicies.Outcome?
  /// True after the save that followed the edit, also when the save failed.
  var isKept = false
  /// The report for the journal; nil after the host fetched it.
  var report: ReloadReport?

  func answer() { if let outcome { edit.answer(outcome) } }
}

/// Outcomes of edits, for the caller, the journal and the report at the end of the run.
extension LivePolicies {
  // MARK: Answers

  /// Waits until every edit in force has its report.
  func waitForReports() async { _ = await state.withLock { $0.reporting }?.value() }

  /// Updates an edit in force and notifies the host.
  func update(_ number: Int, _ body: (inout AppliedEdit) -> Void) {
    state.withLock { state in
      guard let place = state.exchanged.firstIndex(where: { $0.number == number }) else { return }
      body(&state.exchanged[place])
    }
    notify()
  }

  /// Removes and returns the reports since the last call. After a report, the next edit can be prepared.
  func drainReports() -> [ReloadReport] {
    state.withLock { state in
      var reports: [ReloadReport] = []
      for place in state.exchanged.indices {
        if let report = state.exchanged[place].report.take() { reports.append(report) }
      }
      if !reports.isEmpty { state.isPreparing = false }
      return reports
    }
  }

  /// Removes and returns the first edits, in order, up to the first edit that still waits for its outcome or
  /// its save.
  func drainAnswers() -> [AppliedEdit] {
    state.withLock { state in
      let count = state.exchanged.prefix { $0.outcome != nil && $0.isKept }.count
      defer { state.exchanged.removeFirst(count) }
      return Array(state.exchanged.prefix(count))
    }
  }

  // MARK: Outcomes

  /// Returns the outcome of an edit that did not change the policies; nil when there is nothing to report.
  func outcome(of ready: PreparedEdit, at instant: Instant) -> Outcome? {
    let time = LocalMoment(instant, wallClock.rules)
    switch ready.result {
    case .unchanged, .sound: return nil
    case .empty:
      return Outcome(isDone: false, text: "\(time) there are no policies; the current ones stay in force")
    case .refused(let text, let ending):
      return Outcome(isDone: false, text: ending.isEmpty ? text : "\(text)\n\(time) \(ending)")
    }
  }

  func refusal(_ error: Problem, at instant: Instant) -> Outcome {
    let time = LocalMoment(instant, wallClock.rules)
    return Outcome(
      isDone: false, text: "\(time) \(error)\n\(time) nothing was loaded; the current policies stay in force")
  }

  /// Returns the outcome of an edit in force and adds its report to the reports of the run.
  func outcome(
    of report: ReloadReport, _ fresh: PolicyLoader.Loaded, _ edit: LiveEdit, at instant: Instant
  ) -> Outcome {
    let time = LocalMoment(instant, wallClock.rules)
    state.withLock { state in
      state.reports.append([
        "at": JSONValue("\(time)"), "origin": JSONValue(edit.origin.rawValue), "state": report.json,
      ])
    }
    let verb =
      switch edit.kind {
      case .rollback: "went back to"
      case .push: "switched to"
      case .files: "reloaded"
      }
    let names = fresh.policies.map { "\($0.name) version \($0.version)" }.joined(separator: ", ")
    let lines = report.entries.isEmpty ? "" : "\n" + report.text
    return Outcome(isDone: true, text: "\(time) \(verb) \(names): \(report.summary)\(lines)")
  }

  /// Records the policies that are in force now.
  func note(_ fresh: PolicyLoader.Loaded, _ origin: PolicyGeneration.Origin, at instant: Instant) {
    guard origin == .rollback else { return enter(fresh, origin, at: instant) }
    state.withLock { state in
      state.generations.rollBack(at: instant)
      state.loaded = fresh
    }
  }
}
