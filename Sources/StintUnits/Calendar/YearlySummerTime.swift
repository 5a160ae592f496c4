/// Summer time that begins and ends by the same rule every year.
struct YearlySummerTime: Hashable, Sendable {
  /// A day and a time of it in the local time that is in force until then, in seconds; it may be negative
  /// or lie days ahead.
  struct Change: Hashable, Sendable {
    var day: YearlyDay
    var time: Int64
  }

  var offset: TimeSpan
  var begin: Change
  var end: Change

  /// The changes of a few years, in order; where two fall together, the later one counts.
  func changes(in years: ClosedRange<Int>, standard: TimeSpan) -> [TimeZoneRules.Transition] {
    var changes: [TimeZoneRules.Transition] = []
    for year in years {
      for change in [
        Self.transition(begin, in: year, before: standard, after: offset),
        Self.transition(end, in: year, before: offset, after: standard),
      ] {
        // Stable: what is named later of two at one instant stays later.
        let place = changes.lastIndex { $0.instant <= change.instant }.map { $0 + 1 } ?? 0
        changes.insert(change, at: place)
      }
    }
    return changes
  }

  private static func transition(
    _ change: Change, in year: Int, before: TimeSpan, after: TimeSpan
  ) -> TimeZoneRules.Transition {
    let seconds = Int64(change.day.days(in: year)) * 86_400 + change.time
    let exact = Int128(seconds) * 1_000_000_000 - Int128(before.nanoseconds)
    return TimeZoneRules.Transition(
      instant: Instant(nanoseconds: Int64(clamping: exact)), offset: after)
  }
}
