import StintFormats
import StintRuntime
import StintUnits

/// What replays say of a journal that is not whole.
enum ReplayNotes {
  static func lines(isTorn: Bool, gap: ReplayReport.Gap?, timeZone: TimeZoneRules) -> [String] {
    var lines: [String] = []
    if isTorn {
      lines.append("the journal ends in the middle of a record, where its writer was interrupted")
    }
    if let gap {
      lines.append(
        "\(Amounts.count(Int(gap.records))) records are missing from \(LocalMoment(gap.first, timeZone)) to "
          + "\(LocalMoment(gap.last, timeZone)), when the journal could not be written; "
          + "what follows cannot be replayed")
    }
    return lines
  }

  static func json(of gap: ReplayReport.Gap?) -> JSONValue {
    guard let gap else { return nil }
    return [
      "records": JSONValue(gap.records), "first_ns": JSONValue(gap.first.nanoseconds),
      "last_ns": JSONValue(gap.last.nanoseconds),
    ]
  }
}
