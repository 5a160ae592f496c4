import StintDaemon
import StintFormats
import StintJournal
import StintRuntime
import StintUnits

/// Notes of replay reports about an incomplete journal.
enum ReplayNotes {
  static func lines(
    isTorn: Bool, damage: Problem?, gaps: [ReplayReport.Gap], beginsInTheMiddle: Bool,
    timeZone: TimeZoneRules
  ) -> [String] {
    var lines: [String] = []
    if beginsInTheMiddle {
      lines.append(
        "the journal's first files are missing: it starts from a snapshot without the state of the policies"
      )
    }
    for gap in gaps {
      let records = gap.records == 1 ? "1 record is" : "\(Amounts.count(Int(gap.records))) records are"
      lines.append(
        "\(records) missing from \(LocalMoment(gap.first, timeZone)) to "
          + "\(LocalMoment(gap.last, timeZone)), when the journal could not be written; "
          + "then the journal continues from a saved state")
    }
    if isTorn {
      lines.append("the journal ends inside a record: its writer was interrupted")
    }
    if let damage { lines.append("the journal is damaged; everything before the damage was read: \(damage)") }
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
