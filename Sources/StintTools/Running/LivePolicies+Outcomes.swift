import StintFormats
import StintGovernor
import StintLanguage
import StintModel
import StintRuntime
import StintUnits

/// An edit that is in force. It is answered when its report is made and it is on the disk, in either order.
struct AppliedEdit: Sendable {
  let number: Int
  let edit: LiveEdit
  var outcome: LivePolicies.Outcome?
  var isKept = false
  /// What the journal hears of it; taken by the host.
  var report: ReloadReport?

  func answer() { if let outcome { edit.answer(outcome) } }
}

/// What became of edits: for who asked, for the journal, and for the end of the run.
extension LivePolicies {
  // MARK: Answering

  /// Waits until every edit in force has its report.
  func reported() async { _ = await state.withLock { $0.reporting }?.value() }

  /// Something became known of an edit in force; the host attends to what follows.
  func update(_ number: Int, _ body: (inout AppliedEdit) -> Void) {
    state.withLock { state in
      guard let place = state.exchanged.firstIndex(where: { $0.number == number }) else { return }
      body(&state.exchanged[place])
    }
    notify()
  }

  /// The reports that came since last time; the next edit may be prepared then.
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

  /// The edits that are reported and kept, in their order; they are forgotten here.
  func drainAnswers() -> [AppliedEdit] {
    state.withLock { state in
      let count = state.exchanged.prefix { $0.outcome != nil && $0.isKept }.count
      defer { state.exchanged.removeFirst(count) }
      return Array(state.exchanged.prefix(count))
    }
  }

  // MARK: Outcomes

  /// What came of an edit that changes nothing; nil where there was nothing to say.
  func outcome(of ready: PreparedEdit, at instant: Instant) -> Outcome? {
    let time = LocalMoment(instant, wallClock.rules)
    switch ready.result {
    case .unchanged, .sound: return nil
    case .empty: return Outcome(isDone: false, text: "\(time) there are no policies; what was in force stays")
    case .refused(let text, let ending):
      return Outcome(isDone: false, text: ending.isEmpty ? text : "\(text)\n\(time) \(ending)")
    }
  }

  func refusal(_ error: Problem, at instant: Instant) -> Outcome {
    let time = LocalMoment(instant, wallClock.rules)
    return Outcome(
      isDone: false, text: "\(time) \(error)\n\(time) nothing was loaded; what was in force stays")
  }

  /// What came of an edit that is in force; notes its report for the end of the run.
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

  /// Notes which policies are in force now.
  func note(_ fresh: PolicyLoader.Loaded, _ origin: PolicyGeneration.Origin, at instant: Instant) {
    guard origin == .rollback else { return enter(fresh, origin, at: instant) }
    state.withLock { state in
      state.generations.rollBack(at: instant)
      state.loaded = fresh
    }
  }
}
