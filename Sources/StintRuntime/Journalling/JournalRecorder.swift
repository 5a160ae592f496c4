import StintGovernor
public import StintJournal
import StintModel
public import StintUnits

/// Writes what a host takes in and decides into a journal.
///
/// Record kinds: 1 the world it ran in, 2 policies put in force, 3 inputs of a step, 4 a decision, 5 the end, 6 what
/// became of state at a reload.
public struct JournalRecorder {
  private let writer: JournalWriter
  /// Why the journal could not go on; the host goes on without it.
  public private(set) var failure: JournalError?

  /// The kinds of records, as numbers in the file.
  public enum Kind: UInt8, Sendable {
    case world = 1
    case policies = 2
    case inputs = 3
    case decision = 4
    case end = 5
    case reload = 6
  }

  /// Starts with the world that the journal is about.
  public init(writer: sending JournalWriter, world: JournalWorld, at instant: Instant) {
    self.writer = writer
    append(.world, world.encoded(), at: instant)
  }

  /// Notes the policy texts that come into force.
  public mutating func record(policies: [JournalPolicy], at instant: Instant) {
    var bytes = ByteWriter()
    bytes.integer(Int64(policies.count))
    for policy in policies {
      bytes.text(policy.file)
      bytes.text(policy.text)
    }
    append(.policies, bytes.bytes, at: instant)
  }

  /// Notes what became of the state of the policies before.
  mutating func record(_ report: ReloadReport, at instant: Instant) {
    var bytes = ByteWriter()
    report.write(to: &bytes)
    append(.reload, bytes.bytes, at: instant)
  }

  mutating func record(_ inputs: [Input], at instant: Instant) {
    var bytes = ByteWriter()
    bytes.integer(Int64(inputs.count))
    for input in inputs { input.write(to: &bytes) }
    append(.inputs, bytes.bytes, at: instant)
  }

  mutating func record(decision: String, at instant: Instant) {
    append(.decision, Array(decision.utf8), at: instant)
  }

  /// Notes the end and writes everything out.
  public mutating func finish(at instant: Instant) {
    append(.end, [], at: instant)
    guard failure == nil else { return }
    do throws(JournalError) { try writer.synchronize() } catch { failure = error }
  }

  private mutating func append(_ kind: Kind, _ payload: [UInt8], at instant: Instant) {
    guard failure == nil else { return }
    do throws(JournalError) {
      try writer.append(kind: kind.rawValue, at: instant, payload)
    } catch {
      failure = error
    }
  }
}
