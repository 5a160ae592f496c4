import StintDaemon
import StintFormats
import StintGovernor
import StintJournal
import StintLanguage
import StintModel
import StintReplay
import StintRuntime
public import StintUnits

/// The result of replaying a journal: every decision that could be compared was reproduced byte for byte.
public struct ReplayReport: Hashable, Sendable {
  /// The path of the journal.
  public var journal: String
  /// The policies at the end of the journal, each as name and version.
  public var policies: [String]
  /// The instant of the first record.
  public var began: Instant
  /// The instant of the last replayed record.
  public var reached: Instant
  /// The time zone at the end of the journal.
  public var timeZone: TimeZoneRules
  /// The number of replayed records.
  public var records: Int
  /// The number of reproduced decisions.
  public var decisions: Int
  /// The SHA-256 of the decision log, in hexadecimal.
  public var decisionLogHash: String
  /// The number of loads: how often policies came into force.
  public var loads: Int
  /// The number of loads whose policies now compile to another image than at the time of the recording.
  public var otherImages: Int
  /// The energy of the replayed time.
  public var energy: Energy
  /// True when the journal ends inside a record.
  public var isTorn: Bool
  /// The damage at which the replay stopped; nil for an undamaged journal.
  public var damage: String?
  private var problem: Problem?
  /// The gaps in the journal, in order of time. Decisions that depend on missing records are not compared.
  public var gaps: [Gap]
  /// True when the first files of the journal are missing.
  public var beginsInTheMiddle: Bool
  /// The number of decisions that were not compared.
  public var unconfirmed: Int

  /// Missing records of a journal.
  public struct Gap: Hashable, Sendable {
    /// The number of missing records.
    public var records: Int64
    /// The instant of the first missing record.
    public var first: Instant
    /// The instant of the last missing record.
    public var last: Instant

    init(_ gap: JournalGap) { (records, first, last) = (gap.records, gap.first, gap.last) }
  }

  /// Returns the journals at a path. For a file, this is the file itself; for a folder, the journals of all
  /// starts of the daemon, in order.
  ///
  /// - Throws: `Problem` when the path cannot be read.
  public static func journals(at path: String) throws(Problem) -> [String] {
    try JournalFolder.journals(at: path)
  }

  /// Replays a journal to its end, or to the first damage.
  ///
  /// - Throws: `Problem` when the journal cannot be read, or when a decision differs from the recorded
  ///   decision.
  public init(journal: String) throws(Problem) {
    let moment: JournalReplay.Moment
    moment = try JournalReplay.moment(of: journal, at: nil)
    self.journal = journal
    policies = moment.policies.map { "\($0.name) version \($0.version)" }
    (began, reached) = (moment.began, moment.reached)
    timeZone = moment.governor.timeZone
    (records, decisions, decisionLogHash) = (moment.records, moment.decisions, moment.digest)
    (loads, otherImages) = (moment.loads, moment.otherImages)
    energy = moment.governor.ledger(at: moment.reached).total
    isTorn = moment.isTorn
    problem = moment.damage
    damage = problem?.description
    gaps = moment.gaps.map { Gap($0) }
    (beginsInTheMiddle, unconfirmed) = (moment.beginsInTheMiddle, moment.unconfirmed)
  }

  /// True when the journal is undamaged and no record before its end is missing. The journal may still end
  /// inside a record (`isTorn`).
  public var isWhole: Bool { gaps.isEmpty && !beginsInTheMiddle && damage == nil }

  /// Returns the report as text for people.
  public func text(_ paint: Paint = .plain) -> String {
    var table = TextTable()
    table.add(["\(journal): all compared decisions were reproduced", ""], .heading)
    table.add(["  policies", policies.isEmpty ? "none" : policies.joined(separator: ", ")])
    table.add(["  from", "\(LocalMoment(began, timeZone))"])
    table.add(["  over", Amounts.span(reached - began)])
    table.add(["  records", Amounts.count(records)])
    table.add(["  policies came into force", Amounts.count(loads)])
    table.add(["  decisions reproduced", Amounts.count(decisions)])
    if !isWhole { table.add(["  decisions not compared", Amounts.count(unconfirmed)]) }
    table.add(["  energy", "\(Amounts.joules(energy)) J"])
    var lines = [table.text(paint), paint.quiet("  log sha256 \(decisionLogHash)")]
    if otherImages > 0 {
      lines.append(
        paint.notable("  the policies now compile to a different image, \(otherImages) of \(loads) times"))
    }
    let notes = ReplayNotes.lines(
      isTorn: isTorn, damage: problem, gaps: gaps, beginsInTheMiddle: beginsInTheMiddle, timeZone: timeZone)
    lines += notes.map { paint.notable("  " + $0) }
    return lines.joined(separator: "\n")
  }

  /// The report as one line of JSON.
  public var jsonText: String {
    ReportKind.replay.text(of: [
      "journal": JSONValue(journal), "policies": JSONValue(policies.map { JSONValue($0) }),
      "began_ns": JSONValue(began.nanoseconds), "reached_ns": JSONValue(reached.nanoseconds),
      "records": JSONValue(records), "loads": JSONValue(loads), "other_images": JSONValue(otherImages),
      "decisions": JSONValue(decisions), "energy_nJ": JSONValue(energy.nanojoules),
      "decision_log_sha256": JSONValue(decisionLogHash), "torn": JSONValue(isTorn),
      "gaps": ReplayNotes.json(of: gaps), "begins_in_the_middle": JSONValue(beginsInTheMiddle),
      "decisions_not_compared": JSONValue(unconfirmed), "damage": damage.map { JSONValue($0) } ?? .null,
    ])
  }
}
