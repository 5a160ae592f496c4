import StintGovernor
import StintModel
import StintUnits

/// The decision log and the journal of a host.
struct JournalDesk: ~Copyable {
  /// Nil without a journal and after its end.
  private var recorder: JournalRecorder?
  private var log = DecisionLog()

  init(_ recorder: sending JournalRecorder?) { self.recorder = recorder }

  /// True when the host has a journal.
  var hasJournal: Bool { recorder != nil }

  /// The number of decisions, and the SHA-256 of their lines in hexadecimal.
  var decisions: (count: Int, digest: String) { (log.count, log.digest) }

  /// The reason why the finished journal is incomplete; nil when no record is missing.
  private(set) var failure: Problem?

  /// The reason why the journal is incomplete or not written at present; nil when there is no such reason.
  var problem: String? { recorder?.problem }

  mutating func record(_ inputs: [Input], at instant: Instant) { recorder?.record(inputs, at: instant) }

  /// Adds a decision to the log and to the journal.
  mutating func record(decision line: String, at instant: Instant) {
    log.append(line)
    recorder?.record(decision: line, at: instant)
  }

  mutating func record(_ memory: GovernorMemory, at instant: Instant) {
    recorder?.record(memory, at: instant)
  }
  mutating func record(_ report: ReloadReport, at instant: Instant) { recorder?.record(report, at: instant) }
  mutating func record(_ policies: PolicyRecord, at instant: Instant) {
    recorder?.record(policies, at: instant)
  }

  /// Returns the record of a program; nil without a journal.
  func policyRecord(_ policies: [JournalPolicy], _ program: Program) -> PolicyRecord? {
    recorder == nil ? nil : PolicyRecord(policies, program)
  }

  /// Starts to write new policies to the disk.
  mutating func syncPolicies() { recorder?.syncPolicies() }

  /// Handles the end of all work at an instant. Returns messages about the journal.
  mutating func settled(at instant: Instant, governor: () -> Governor) -> [RunMessage] {
    recorder?.settled(at: instant, governor: governor) ?? []
  }

  /// Checks whether the journal file is still at its path.
  mutating func checkPlace(_ governor: () -> Governor, at instant: Instant) {
    recorder?.checkPlace(governor, at: instant)
  }

  /// The accesses to the journal's files on other threads; nil when the calling thread accesses the files.
  var fileWork: JournalFileWork? { recorder?.fileWork }

  /// Writes all remaining records and the end of the journal, and closes its file.
  mutating func finish(at instant: Instant) {
    recorder?.finish(at: instant)
    close()
  }

  /// Records the end of the run. Returns a function that writes all records to the disk, to be called from
  /// any thread; nil without a journal, and when the file does not respond. In each case, `noteEnd` must be
  /// called afterwards.
  mutating func end(at instant: Instant) -> (@Sendable () throws(Problem) -> Void)? {
    recorder?.end(at: instant)
  }

  /// Records the result of writing all records to the disk, and closes the file. `problem` is nil
  /// for success.
  mutating func noteEnd(_ problem: Problem?) {
    recorder?.noteEnd(problem)
    close()
  }

  private mutating func close() {
    failure = recorder?.failure ?? failure
    recorder = nil
  }
}
