import StintFormats
import StintGovernor
import StintJournal
import StintLanguage
import StintModel
import StintRuntime
public import StintUnits

/// A journal taken through again: the same decisions, byte for byte.
public struct ReplayReport: Hashable, Sendable {
  public var journal: String
  public var policies: [String]
  public var began: Instant
  public var reached: Instant
  public var timeZone: TimeZoneRules
  public var records: Int
  /// The number of decisions that were repeated with the same result, and the SHA-256 of their lines.
  public var decisions: Int
  public var decisionLogHash: String
  /// How often policies came into force, and how often they compile to another image now than they did.
  public var loads: Int
  public var otherImages: Int
  public var energy: Energy
  /// Whether the journal ends in the middle of a record.
  public var isTorn: Bool
  /// What is damaged in the journal, of which all before was replayed; nil where nothing is.
  public var damage: String?
  private var problem: Problem?
  /// What is missing, in order; and whether the first files are. What stands behind was not compared.
  public var gaps: [Gap]
  public var beginsInTheMiddle: Bool
  public var unconfirmed: Int

  /// Records that are missing in a journal.
  public struct Gap: Hashable, Sendable {
    public var records: Int64
    public var first: Instant
    public var last: Instant

    init(_ gap: JournalGap) { (records, first, last) = (gap.records, gap.first, gap.last) }
  }

  /// The journals at a path: a file, or those of a folder's starts in their order.
  public static func journals(at path: String) throws(Problem) -> [String] {
    try JournalFolder.journals(at: path)
  }

  /// Replays a journal to its end, or to where it is damaged.
  ///
  /// Throws when it cannot be read, or decides otherwise than it did.
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

  /// Whether all of the journal was there.
  public var isWhole: Bool { gaps.isEmpty && !beginsInTheMiddle && damage == nil }

  /// The report for people.
  public func text(_ paint: Paint = .plain) -> String {
    var table = TextTable()
    table.add(["\(journal): the same decisions again", ""], .heading)
    table.add(["  policies", policies.isEmpty ? "none" : policies.joined(separator: ", ")])
    table.add(["  from", "\(LocalMoment(began, timeZone))"])
    table.add(["  over", Amounts.span(reached - began)])
    table.add(["  records", Amounts.count(records)])
    table.add(["  policies came into force", Amounts.count(loads)])
    table.add(["  decisions, all the same", Amounts.count(decisions)])
    if !isWhole { table.add(["  decisions not compared", Amounts.count(unconfirmed)]) }
    table.add(["  energy", "\(Amounts.joules(energy)) J"])
    var lines = [table.text(paint), paint.quiet("  log sha256 \(decisionLogHash)")]
    if otherImages > 0 {
      lines.append(
        paint.notable("  the policies compile to another image now, \(otherImages) of \(loads) times"))
    }
    let notes = ReplayNotes.lines(
      isTorn: isTorn, damage: problem, gaps: gaps, beginsInTheMiddle: beginsInTheMiddle, timeZone: timeZone)
    lines += notes.map { paint.notable("  " + $0) }
    return lines.joined(separator: "\n")
  }

  /// The report as one JSON object on one line.
  public var jsonText: String {
    ReportKind.replay.text(of: [
      "journal": JSONValue(journal), "policies": JSONValue(policies.map { JSONValue($0) }),
      "began_ns": JSONValue(began.nanoseconds), "reached_ns": JSONValue(reached.nanoseconds),
      "records": JSONValue(records), "loads": JSONValue(loads), "other_images": JSONValue(otherImages),
      "decisions": JSONValue(decisions), "energy_nJ": JSONValue(energy.nanojoules),
      "decision_log_sha256": JSONValue(decisionLogHash), "torn": JSONValue(isTorn),
      "gaps": ReplayNotes.json(of: gaps), "begins_in_the_middle": JSONValue(beginsInTheMiddle),
      "decisions_not_compared": JSONValue(unconfirmed), "damage": damage.map { JSONValue($0) } ?? nil,
    ])
  }
}
