import StintGovernor
public import StintJournal
import StintModel
public import StintUnits

/// Writes what a host takes in and decides into a journal.
///
/// A journal that cannot be written ends nothing: the host goes on, and where there is room again the journal does,
/// behind a record of the gap.
public struct JournalRecorder {
  /// The kinds of records, as numbers in the file.
  public enum Kind: UInt8, Sendable {
    /// The world it runs in.
    case world = 1
    /// Policies come into force.
    case policies = 2
    /// The inputs of a step.
    case inputs = 3
    /// A decision.
    case decision = 4
    /// The end.
    case end = 5
    /// What became of state at a reload.
    case reload = 6
    /// The hash of the image that the policies before it were compiled to.
    case image = 7
    /// What stands, as inputs, for readers who have nothing of what came before.
    case snapshot = 8
    /// What a process before remembered, for the policies that follow.
    case memory = 9
  }

  /// When what is recorded must have left the process.
  public enum Durability: Hashable, Sendable {
    /// At the end; a process that is killed loses what it still holds.
    case atEnd
    /// After every step it is handed to the system, and brought to the disk each span of the host's time.
    case each(TimeSpan)
  }

  private let writer: JournalWriter
  private let sync = JournalSync()
  private let durability: Durability
  private var synchronized: Instant
  private let world: [UInt8]
  /// The policies in force, as they were recorded.
  private var policies: PolicyRecord?
  private var bytes = ByteWriter()
  /// Whether policies came into force that are not on their way to the disk yet.
  private var isSyncWanted = false
  private var gaps = 0
  /// Events of the journal that were not reported yet.
  private var news: [String] = []
  /// Why the journal is not whole, told at its end; nil while nothing is missing.
  public private(set) var failure: Problem?

  /// Starts with the world that the journal is about.
  public init(
    writer: sending JournalWriter, world: JournalWorld, at instant: Instant, durability: Durability = .atEnd
  ) {
    self.writer = writer
    self.durability = durability
    self.world = world.encoded()
    synchronized = instant
    append(.world, self.world, at: instant)
  }

  // MARK: Records

  /// Notes the policy texts that come into force, and the image that was made of them.
  public mutating func record(_ record: PolicyRecord, at instant: Instant) {
    policies = record
    append(.policies, record.texts, at: instant)
    append(.image, record.image, at: instant)
    isSyncWanted = durability != .atEnd
  }

  /// Notes what became of the state of the policies before.
  mutating func record(_ report: ReloadReport, at instant: Instant) {
    var payload = ByteWriter()
    report.write(to: &payload)
    append(.reload, payload.bytes, at: instant)
    syncPolicies()
  }

  /// Starts to bring policies that came into force to the disk. It is no part of their exchange, which no step may wait
  /// for.
  mutating func syncPolicies() {
    guard isSyncWanted else { return }
    isSyncWanted = false
    do throws(Problem) { try synchronize() } catch { note(error) }
  }

  /// Notes what the process before remembered; the policies that follow begin with it.
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

  /// Everything at an instant is recorded: hands it on as the durability says, begins the next file where the limit
  /// asks for it. Tells what happened to the journal since last time.
  ///
  /// - Parameter governor: asked only where it is needed, because it is large to copy.
  mutating func settled(at instant: Instant, governor: () -> Governor) -> [String] {
    if writer.gapsRecorded > gaps {
      gaps = writer.gapsRecorded
      news.append("the journal goes on; a record tells of what is missing in it")
      recordSnapshot(governor(), at: instant)
    }
    if writer.isFull, writer.failure == nil { startNextFile(governor(), at: instant) }
    if let failure = sync.consumeFailure() { note(failure) }
    if case .each(let span) = durability, writer.failure == nil {
      do throws(Problem) {
        if instant - synchronized >= span, !sync.isInProgress {
          synchronized = instant
          checkPlace(governor(), at: instant)
          try synchronize()
        } else {
          try writer.flush()
        }
      } catch {
        note(error)
      }
    }
    guard !news.isEmpty else { return [] }
    defer { news.removeAll() }
    return news
  }

  /// Notes the end and writes everything out.
  public mutating func finish(at instant: Instant) {
    append(.end, [], at: instant)
    do throws(Problem) { try writer.synchronize() } catch { failure = error }
    guard failure == nil, writer.lostRecords > 0 else { return }
    failure = Problem(
      .hole, place: writer.path,
      cause: "\(writer.lostRecords) records are missing, for which there was no room",
      remedy: "a record tells where; stint replay goes as far as that")
  }

  // MARK: Files and gaps

  /// Sees whether the file is still where it was begun; where it was removed or renamed, the journal goes on
  /// in a new one.
  mutating func checkPlace(_ governor: borrowing Governor, at instant: Instant) {
    guard !writer.isInPlace else { return }
    do throws(Problem) {
      try writer.startOver(at: instant)
    } catch {
      note(error)
      return
    }
    news.append("the journal \(writer.path) was removed or renamed; it goes on in a new file of that name")
    append(.world, world, at: instant)
    recordSnapshot(governor, at: instant)
  }

  private mutating func startNextFile(_ governor: borrowing Governor, at instant: Instant) {
    do throws(Problem) {
      try writer.startNextFile(at: instant)
    } catch {
      note(error)
      return
    }
    append(.world, world, at: instant)
    recordSnapshot(governor, at: instant)
  }

  /// What a reader needs who knows nothing of what came before, but for the world.
  private mutating func recordSnapshot(_ governor: borrowing Governor, at instant: Instant) {
    if let policies {
      append(.policies, policies.texts, at: instant)
      append(.image, policies.image, at: instant)
    }
    append(.snapshot, encoded(governor.snapshotInputs), at: instant)
  }

  /// Starts to bring the journal to the disk, where that is not under way already.
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
    news.append("the journal cannot be written, and the run goes on: \(problem)")
  }
}
