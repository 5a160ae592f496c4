import StintDaemon
import StintGovernor
import StintJournal
import StintLanguage
public import StintModel
import StintReplay
public import StintRuntime
public import StintUnits

/// Explains from a journal the setting of a device, or why a rule was not in force.
public enum WhyQuery {
  /// Returns the report on a device at a local time (`14:05`, `2026-11-22T14:05:30`). When the journal
  /// contains this local time more than once, the report is about the first occurrence. A nil time means the
  /// journal's end.
  ///
  /// - Parameter note: receives a sentence when the journal is damaged.
  /// - Throws: `Problem` when the journal cannot be read, does not contain this time, or has no such device.
  public static func report(
    _ device: DeviceID, at time: String?, journal: String, note: (String) -> Void = { _ in }
  ) throws(Problem) -> WhyReport {
    let moment = try moment(at: time, journal: journal)
    if let damage = moment.damage { note(Self.sentence(damage)) }
    guard moment.governor.vocabulary.device(device) != nil else {
      throw unknownTarget(device.path, moment, hasRules: false)
    }
    return WhyReport(device: device, governor: moment.governor, policies: moment.policies)
  }

  /// Returns the reason why a device was off, or why the rule `POLICY/RULE` was not in force.
  ///
  /// - Parameter note: receives a sentence when the journal is damaged.
  /// - Throws: `Problem` when the journal cannot be read, does not contain this time, or has no such device
  ///   or rule.
  public static func whyNot(
    _ thing: String, at time: String?, journal: String, note: (String) -> Void = { _ in }
  ) throws(Problem) -> WhyNotReport {
    let moment = try moment(at: time, journal: journal)
    if let damage = moment.damage { note(Self.sentence(damage)) }
    guard let report = WhyNotReport(thing, governor: moment.governor, policies: moment.policies) else {
      throw unknownTarget(thing, moment, hasRules: true)
    }
    return report
  }

  private static func sentence(_ damage: Problem) -> String {
    "the journal is damaged; this report covers the part before the damage: \(damage)"
  }

  private static func unknownTarget(
    _ thing: String, _ moment: JournalReplay.Moment, hasRules: Bool
  ) -> Problem {
    let target = UnknownTarget(thing, moment.governor, moment.policies, hasRules: hasRules)
    return Problem(
      .unknownName, place: thing, cause: "\(target.cause) in the journal", remedy: target.remedy)
  }

  /// Returns the state of a journal at a local time. In a folder, the first journal that contains the time is
  /// used; a nil time means the end of the last journal.
  private static func moment(
    at time: String?, journal: String
  ) throws(Problem) -> JournalReplay.Moment {
    let journals: [String]
    journals = try JournalFolder.journals(at: journal)
    guard let time else { return try moment(of: journals[journals.count - 1], at: nil) }
    guard let wanted = RequestedTime(time) else {
      throw Problem(
        .unknownName, place: "--at \(time)", cause: "expected a time of day",
        remedy: "write it as 14:05, 14:05:30 or 2026-11-22T14:05, in the journal's local time")
    }
    var spans: [String] = []
    for path in journals {
      let times: JournalTimes
      times = try JournalTimes(of: path)
      if let found = times.instant(showing: wanted.clock, onDay: wanted.day) {
        return try moment(of: path, at: found)
      }
      spans.append(times.text)
    }
    throw Problem(
      .unknownName, place: "--at \(time)", cause: "this time is outside the period of the journal",
      remedy: "the journal covers \(spans.suffix(5).joined(separator: ", "))")
  }

  private static func moment(of path: String, at instant: Instant?) throws(Problem) -> JournalReplay.Moment {
    try JournalReplay.moment(of: path, at: instant)
  }
}

/// A requested local time: a time of day with an optional day.
struct RequestedTime: Hashable {
  /// The time since local midnight.
  var clock: TimeSpan
  /// The number of days since 1970-01-01; nil for any day.
  var day: Int?

  /// Parses `14:05` or `14:05:30`, with an optional day before it as in `2026-11-22T14:05`. Nil for other
  /// strings.
  init?(_ text: String) {
    let parts = text.split(whereSeparator: { $0 == "T" || $0 == " " })
    guard (1...2).contains(parts.count), let last = parts.last else { return nil }
    if parts.count == 2 {
      let numbers = Self.numbers(parts[0], "-")
      guard numbers.count == 3, (1700...2200).contains(numbers[0]), (1...12).contains(numbers[1]),
        (1...31).contains(numbers[2])
      else { return nil }
      day = CivilCalendar.days(year: Int(numbers[0]), month: Int(numbers[1]), day: Int(numbers[2]))
    }
    let numbers = Self.numbers(last, ":")
    guard (2...3).contains(numbers.count), (0..<24).contains(numbers[0]),
      numbers.dropFirst().allSatisfy({ (0..<60).contains($0) })
    else { return nil }
    clock = .seconds(numbers[0] * 3600 + numbers[1] * 60 + (numbers.count > 2 ? numbers[2] : 0))
  }

  /// Returns the numbers between separators; empty when a part is not a number.
  private static func numbers(_ text: Substring, _ separator: Character) -> [Int64] {
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int64($0) }
    return numbers.count == parts.count ? numbers : []
  }
}
