import StintGovernor

/// The edits of a daemon from their submission to their answer.
///
/// One edit is prepared at a time, in the order of submission. Of several file changes that are adjacent in
/// the queue, only the newest is prepared. The next edit is prepared when the previous edit was refused, or
/// when the report of the previous edit was fetched. Edits in force are answered in their order, each after
/// its report is made.
struct EditQueue: Sendable {
  /// An edit in force.
  private struct Applied: Sendable {
    let number: Int
    let edit: PolicyEdit
    var outcome: PolicyStore.Outcome?
    /// The report for the journal; nil after it was fetched.
    var report: ReloadReport?
  }

  /// Edits that are not prepared yet, oldest first.
  private var waiting: [PolicyEdit] = []
  private var preparing: PolicyEdit?
  /// True while an edit is being prepared, waits for the host, or is being reported.
  private var isBusy = false
  private var prepared: PreparedEdit?
  /// Edits in force whose callers have not received the outcome yet, oldest first.
  private var applied: [Applied] = []
  private var lastNumber = 0
  private var isClosed = false

  /// Adds an edit. Returns false after `close()`.
  ///
  /// The files are read when a file change is prepared, not when it is added. So a file change replaces a
  /// file change that waits directly before it.
  mutating func submit(_ edit: PolicyEdit) -> Bool {
    guard !isClosed else { return false }
    if case .files = edit.kind, case .files? = waiting.last?.kind { waiting.removeLast() }
    waiting.append(edit)
    return true
  }

  /// Returns the next edit to prepare. Nil when no edit waits, and while an edit is being prepared, waits for
  /// the host, or is being reported.
  mutating func beginPreparation() -> PolicyEdit? {
    guard !isBusy, !waiting.isEmpty else { return nil }
    isBusy = true
    preparing = waiting.removeFirst()
    return preparing
  }

  /// Stores the result of a preparation until the host fetches it. Has no effect after `close()`.
  mutating func endPreparation(_ edit: PreparedEdit) {
    preparing = nil
    if !isClosed { prepared = edit }
  }

  /// Refuses later edits. Returns the earlier edits that do not come into force, or whose outcome is not
  /// known.
  mutating func close() -> [PolicyEdit] {
    isClosed = true
    defer {
      waiting = []
      applied = []
    }
    return applied.map(\.edit) + [prepared.take()?.edit, preparing.take()].compactMap(\.self) + waiting
  }

  /// Removes and returns the prepared edit; nil without a prepared edit. After an edit that is not accepted,
  /// the next edit can be prepared.
  mutating func takePrepared() -> PreparedEdit? {
    guard let edit = prepared.take() else { return nil }
    if case .accepted = edit.result { return edit }
    isBusy = false
    return edit
  }

  /// Notes that the host refused the accepted edit.
  mutating func recordRefusal() { isBusy = false }

  /// Notes that an edit is in force, and returns its number.
  mutating func recordApplied(_ edit: PolicyEdit) -> Int {
    lastNumber += 1
    applied.append(Applied(number: lastNumber, edit: edit))
    return lastNumber
  }

  /// Notes the report and the outcome of an edit in force.
  mutating func note(_ report: ReloadReport, _ outcome: PolicyStore.Outcome, of number: Int) {
    guard let index = applied.firstIndex(where: { $0.number == number }) else { return }
    applied[index].report = report
    applied[index].outcome = outcome
  }

  /// Removes and returns the reports since the last call. After a report, the next edit can be prepared.
  mutating func drainReports() -> [ReloadReport] {
    var reports: [ReloadReport] = []
    for index in applied.indices {
      if let report = applied[index].report.take() { reports.append(report) }
    }
    if !reports.isEmpty { isBusy = false }
    return reports
  }

  /// Removes the first edits, in order, up to the first edit that still waits for its outcome.
  ///
  /// - Returns: functions that pass the outcomes to the callers of the edits.
  mutating func drainAnswered() -> [@Sendable () -> Void] {
    let count = applied.prefix { $0.outcome != nil }.count
    defer { applied.removeFirst(count) }
    return applied.prefix(count).map { entry in { entry.edit.answer(entry.outcome) } }
  }
}
