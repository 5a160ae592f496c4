import StintGovernor
public import StintJournal
import StintModel
public import StintUnits

/// A recorder that writes the inputs and decisions of a host to a journal.
///
/// When the journal cannot be written, the host continues. When writing works again, the journal continues
/// after a gap record, which contains the number of missing records.
public struct JournalRecorder {
  /// The kinds of records. The raw values are stored in the file.
  public enum Kind: UInt8, Sendable {
    /// The world of the run: devices, scenario, seed and time zone.
    case world = 1
    /// The source texts of policies that come into force.
    case policies = 2
    /// The inputs of a step.
    case inputs = 3
    /// A decision, as its line in the decision log.
    case decision = 4
    /// The end of the run.
    case end = 5
    /// The migration report of a reload.
    case reload = 6
    /// The hash of the image of the preceding policies.
    case image = 7
    /// The current state as inputs, for readers that do not have the earlier records.
    case snapshot = 8
    /// The state that the previous process saved. It applies to the policies that follow.
    case memory = 9
    /// The process that requested the policies that follow, as text.
    case author = 10
  }

  /// Specifies when records are written to the operating system and to the disk.
  public enum Durability: Hashable, Sendable {
    /// At the end of the run. A process that is killed loses the buffered records.
    case atEnd
    /// To the operating system after every step, and to the disk once per time span of the host's time.
    case each(TimeSpan)
  }

  private let writer: JournalWriter
  private let sync = JournalSync()
  private let durability: Durability
  private var lastSync: Instant
  /// Accesses files on other threads; nil to access them on the calling thread.
  let fileWork: JournalFileWork?
  /// The next file of the journal, from its creation until the journal continues in it.
  private var next: JournalSuccessor?
  /// The earliest instant of the next attempt to make a file.
  private var nextAttempt = Instant(nanoseconds: .min)
  private let world: [UInt8]
  /// The record of the policies in force.
  private var policies: PolicyRecord?
  private var bytes = ByteWriter()
  /// True when new policies were recorded and the synchronization of their records to the disk has
  /// not started.
  private var isSyncWanted = false
  /// True when a synchronization to the disk must follow the write in progress.
  private var isSyncNext = false
  /// True when the recorder must check whether the file is still at its path. The check starts as soon as no
  /// other access is in progress.
  private var isPlaceDue = false
  private var reportedGaps = 0
  /// The reason why the file at the journal's path could not be checked, replaced or made. Nil when the last
  /// attempt succeeded.
  private var fileProblem: Problem?
  /// Messages about the journal that are not reported yet.
  private var messages: [RunMessage] = []
  /// The reason why the journal is incomplete, set at the end of the journal; nil when no record is missing.
  public private(set) var failure: Problem?

  /// Creates a recorder and records the world.
  ///
  /// - Parameter files: nil to access files on the calling thread. Otherwise the worker that accesses files
  ///   on other threads, the loop of the host, and a function that makes the host call `settled`.
  public init(
    writer: sending JournalWriter, world: JournalWorld, at instant: Instant, durability: Durability = .atEnd,
    files: (worker: FileWorker, loop: LoopExecutor, notify: @Sendable () -> Void)? = nil
  ) {
    self.writer = writer
    fileWork = files.map { JournalFileWork($0.worker, on: $0.loop, path: writer.path, notify: $0.notify) }
    writer.isDeferred = files != nil
    self.durability = durability
    self.world = world.encoded()
    lastSync = instant
    if let failure = writer.failure { note(failure) }
    append(.world, self.world, at: instant)
  }

  /// A sentence about the present problem of the journal; nil without a problem. The possible problems: the
  /// journal is not written, continues in its previous file, waits for a slow write, exceeds its size limit,
  /// or lacks records.
  var problem: String? {
    if let failure = writer.failure { return "the journal is not written: \(failure)" }
    if let fileProblem { return "the journal continues in its previous file: \(fileProblem)" }
    if let late = fileWork?.problem { return late }
    let lost = writer.lostRecords
    guard lost > 0 else {
      let excess = writer.rotation.excess
      return excess == 0
        ? nil : "the journal exceeds its limit by \(excess) bytes: each file begins with policies and state"
    }
    return "\(lost == 1 ? "1 record is" : "\(lost) records are") missing in the journal \(writer.path)"
  }

  // MARK: Records

  /// Records the source texts of policies that come into force, and the hash of their image.
  public mutating func record(_ record: PolicyRecord, at instant: Instant) {
    policies = record
    writer.rotation.expected = Int64(record.texts.count + record.image.count)
    if let author = record.author { append(.author, Array(author.utf8), at: instant) }
    append(.policies, record.texts, at: instant)
    append(.image, record.image, at: instant)
    isSyncWanted = durability != .atEnd
  }

  mutating func record(_ report: ReloadReport, at instant: Instant) {
    var payload = ByteWriter()
    report.write(to: &payload)
    append(.reload, payload.bytes, at: instant)
    syncPolicies()
  }

  /// Starts to synchronize new policies to the disk. Called after the policies came into force, so that the
  /// exchange of the policies does not wait for the disk.
  mutating func syncPolicies() {
    // With `fileWork`, `settled` starts the write, and the synchronization follows it.
    guard isSyncWanted, fileWork == nil else { return }
    isSyncWanted = false
    do throws(Problem) { try synchronize() } catch { note(error) }
  }

  /// Records the state that the previous process saved. It applies to the policies that follow.
  mutating func record(_ memory: GovernorMemory, at instant: Instant) {
    var payload = ByteWriter()
    memory.write(to: &payload)
    append(.memory, payload.bytes, at: instant)
  }

  mutating func record(_ inputs: [Input], at instant: Instant) {
    append(.inputs, encoded(inputs), at: instant)
  }

  private mutating func encoded(_ inputs: [Input]) -> [UInt8] {
    bytes.removeAll()
    bytes.integer(Int64(inputs.count))
    for input in inputs { input.write(to: &bytes) }
    return bytes.bytes
  }

  mutating func record(decision: String, at instant: Instant) {
    var decision = decision
    var problem: Problem?
    decision.withUTF8 { text in
      do throws(Problem) {
        try writer.append(kind: Kind.decision.rawValue, at: instant, UnsafeRawBufferPointer(text))
      } catch {
        problem = error
      }
    }
    if let problem { note(problem) }
  }

  /// Called when all events of an instant are recorded. Writes according to `durability`, and begins the next
  /// file when the current file is full.
  ///
  /// - Parameter governor: returns the governor. Called only when needed, because a copy is expensive.
  /// - Returns: messages about the journal since the last call.
  mutating func settled(at instant: Instant, governor: () -> Governor) -> [RunMessage] {
    if let fileWork { follow(fileWork, governor, at: instant) }
    if writer.gapsRecorded > reportedGaps {
      reportedGaps = writer.gapsRecorded
      messages.append(.notice("the journal continues; a record contains the number of missing records"))
      recordSnapshot(governor(), at: instant)
    }
    if writer.isFull, writer.failure == nil, !writer.isWriting { startNextFile(governor, at: instant) }
    if let failure = sync.consumeFailure() { note(failure) }
    if case .each(let span) = durability {
      if writer.failure == nil, instant - lastSync >= span, !sync.isInProgress {
        lastSync = instant
        checkPlace(governor, at: instant)
        isSyncWanted = true
      }
      write(at: instant)
    }
    guard !messages.isEmpty else { return [] }
    defer { messages.removeAll() }
    return messages
  }

  /// Records the end of the run and writes all records to the disk.
  public mutating func finish(at instant: Instant) {
    append(.end, [], at: instant)
    do throws(Problem) { try writer.synchronize() } catch { failure = error }
    noteEnd(nil)
  }

  /// Writes the waiting records to the operating system, and also to the disk when `isSyncWanted` is true.
  private mutating func write(at instant: Instant) {
    if let fileWork {
      if isPlaceDue { isPlaceDue = next == nil && !fileWork.checkPlace(of: writer) }
      guard fileWork.write(writer, at: instant) else { return }
      isSyncNext = isSyncNext || isSyncWanted
      isSyncWanted = false
      return
    }
    guard writer.failure == nil else { return }
    do throws(Problem) {
      if isSyncWanted {
        isSyncWanted = false
        try synchronize()
      } else {
        try writer.flush()
      }
    } catch {
      note(error)
    }
  }

  /// Handles the result of a write on another thread, and then starts the requested synchronization to
  /// the disk.
  private mutating func end(_ result: JournalWrite.Result) {
    let wasFailing = writer.failure != nil
    do throws(Problem) {
      try writer.endWrite(result)
      guard isSyncNext else { return }
      isSyncNext = false
      if sync.isInProgress { isSyncWanted = true } else { try synchronize() }
    } catch {
      isSyncWanted = isSyncWanted || isSyncNext
      isSyncNext = false
      if !wasFailing { note(error) }
    }
  }

  /// Records the end of the run. Returns a function that writes all records to the disk, to be called from
  /// any thread; nil when the file does not respond. In each case, `noteEnd` must be called afterwards.
  ///
  /// - Precondition: the recorder has a `FileWorker`.
  mutating func end(at instant: Instant) -> (@Sendable () throws(Problem) -> Void)? {
    if case .written(let result) = fileWork?.take() { end(result) }
    append(.end, [], at: instant)
    if let work = writer.lastWrites() { return work }
    failure = Problem(
      .timedOut, place: writer.path, cause: "the last records of the journal were not written in time",
      remedy: "check the disk; the earlier records are complete")
    return nil
  }

  /// Records the result of writing all records to the disk. `problem` is nil for success.
  mutating func noteEnd(_ problem: Problem?) {
    failure = failure ?? problem
    guard failure == nil, writer.lostRecords > 0 else { return }
    failure = Problem(
      .missingPart, place: writer.path,
      cause: "the journal could not be written; the number of missing records is \(writer.lostRecords)",
      remedy: "gap records show where; stint replay verifies the decisions before them")
  }

  // MARK: Files and gaps

  /// Checks whether the journal file is still at its path. If it was removed or renamed, the journal
  /// continues in a new file.
  mutating func checkPlace(_ governor: () -> Governor, at instant: Instant) {
    if fileWork != nil {
      isPlaceDue = true
    } else if !writer.isInPlace {
      startOver(governor, at: instant) { writer throws(Problem) in try writer.startOver(at: instant) }
    }
  }

  private mutating func startOver(
    _ governor: () -> Governor, at instant: Instant, _ enter: (JournalWriter) throws(Problem) -> Void
  ) {
    guard begin(governor, at: instant, enter) else { return }
    messages.append(
      .problem("the journal \(writer.path) was removed or renamed; it continues in a new file of that name"))
  }

  /// Starts the next file because the current file is full.
  private mutating func startNextFile(_ governor: () -> Governor, at instant: Instant) {
    guard let fileWork else {
      _ = begin(governor, at: instant) { writer throws(Problem) in try writer.startNextFile(at: instant) }
      return
    }
    if let file = next {
      let isEntered = begin(governor, at: instant) { writer throws(Problem) in
        try writer.startNextFile(file, at: instant)
      }
      if isEntered { next = nil }
    } else if instant >= nextAttempt {
      fileWork.makeNext(of: writer)
    }
  }

  /// Uses the result of an access to the journal's files, if an access has ended.
  private mutating func follow(_ work: JournalFileWork, _ governor: () -> Governor, at instant: Instant) {
    switch work.take() {
    case nil: break
    case .place(isKept: true): fileProblem = nil
    case .place(isKept: false): work.replace(writer)
    case .next(let file): (next, fileProblem) = (file, nil)
    case .written(let result): end(result)
    case .replacement(let file):
      fileProblem = nil
      startOver(governor, at: instant) { writer throws(Problem) in writer.startOver(file, at: instant) }
    case .failure(let problem):
      nextAttempt = instant + .seconds(1)
      if problem != fileProblem { note(problem) }
      fileProblem = problem
    }
  }

  /// Enters a new file, and records the world and the state for readers that do not have the earlier files.
  /// Returns false when the journal continues in its former file.
  private mutating func begin(
    _ governor: () -> Governor, at instant: Instant,
    _ enter: (JournalWriter) throws(Problem) -> Void
  ) -> Bool {
    do throws(Problem) {
      try enter(writer)
    } catch {
      note(error)
      return false
    }
    if let failure = writer.failure { note(failure) }
    append(.world, world, at: instant)
    recordSnapshot(governor(), at: instant)
    writer.endRepetition()
    return true
  }

  /// Records the policies and the state for a reader that does not have the earlier records.
  private mutating func recordSnapshot(_ governor: borrowing Governor, at instant: Instant) {
    if let policies {
      append(.policies, policies.texts, at: instant)
      append(.image, policies.image, at: instant)
    }
    append(.snapshot, encoded(governor.snapshotInputs), at: instant)
  }

  /// Starts to synchronize the journal to the disk. While a synchronization is in progress, only writes the
  /// records to the operating system.
  private func synchronize() throws(Problem) {
    guard !sync.isInProgress else { return try writer.flush() }
    if let work = try writer.synchronization() { sync.start(work) }
  }

  private mutating func append(_ kind: Kind, _ payload: [UInt8], at instant: Instant) {
    do throws(Problem) {
      try writer.append(kind: kind.rawValue, at: instant, payload)
    } catch {
      note(error)
    }
  }

  private mutating func note(_ problem: Problem) {
    messages.append(.problem("the journal cannot be written, and the run continues: \(problem)"))
  }
}
