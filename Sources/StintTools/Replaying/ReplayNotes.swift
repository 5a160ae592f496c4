import StintFormats
import StintJournal
import StintRuntime
import StintUnits

/// What replays say of a journal that is not whole.
enum ReplayNotes {
  static func lines(
    isTorn: Bool, damage: Problem?, gaps: [ReplayReport.Gap], beginsInTheMiddle: Bool,
    timeZone: TimeZoneRules
  ) -> [String] {
    var lines: [String] = []
    if beginsInTheMiddle {
      lines.append(
        "the journal's first files are gone: it begins with what stood then, without what policies remembered"
      )
    }
    for gap in gaps {
      lines.append(
        "\(Amounts.count(Int(gap.records))) records are missing from \(LocalMoment(gap.first, timeZone)) to "
          + "\(LocalMoment(gap.last, timeZone)), when the journal could not be written; "
          + "it goes on with what stood then")
    }
    if isTorn {
      lines.append("the journal ends in the middle of a record, where its writer was interrupted")
    }
    if let damage { lines.append("the journal is damaged, and all before that was read: \(damage)") }
    return lines
  }

  static func json(of gaps: [ReplayReport.Gap]) -> JSONValue {
    JSONValue(
      gaps.map { gap in
        [
          "records": JSONValue(gap.records), "first_ns": JSONValue(gap.first.nanoseconds),
          "last_ns": JSONValue(gap.last.nanoseconds),
        ]
      })
  }
}
