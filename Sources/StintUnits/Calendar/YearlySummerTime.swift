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

/// A day that comes every year, as rules of time zones name it.
enum YearlyDay: Hashable, Sendable {
  /// 1 to 365; 29 February is never counted, so that 60 is always 1 March.
  case counted(Int)
  /// 0 to 365; 29 February is counted in leap years.
  case index(Int)
  /// The week-th such weekday of a month, 5 for the last; weekday 0 is Sunday, as in the rules.
  case weekday(month: Int, week: Int, weekday: Int)

  /// The day in a year, since 1970-01-01.
  func days(in year: Int) -> Int {
    let january = CivilCalendar.days(year: year, month: 1, day: 1)
    switch self {
    case .counted(let number):
      return january + number - 1 + (number >= 60 && CivilCalendar.isLeap(year) ? 1 : 0)
    case .index(let number): return january + number
    case .weekday(let month, let week, let weekday):
      let first = CivilCalendar.days(year: year, month: month, day: 1)
      let next =
        month == 12
        ? CivilCalendar.days(year: year + 1, month: 1, day: 1)
        : CivilCalendar.days(year: year, month: month + 1, day: 1)
      // Ours begin on Monday, those of the rules on Sunday.
      let wanted = (weekday + 6) % 7
      let ahead = (wanted - CivilCalendar.weekday(ofDay: first) + 7) % 7
      let day = first + ahead + 7 * (week - 1)
      return day < next ? day : day - 7
    }
  }

  /// As rules write it.
  var text: String {
    switch self {
    case .counted(let number): "J\(number)"
    case .index(let number): "\(number)"
    case .weekday(let month, let week, let weekday): "M\(month).\(week).\(weekday)"
    }
  }
}

/// Days of the Gregorian calendar, which is taken to reach back for ever.
public enum CivilCalendar {
  /// Days since 1970-01-01; years begin in March here, so that the leap day comes last.
  ///
  /// Months count from 1; years from 0 on.
  public static func days(year: Int, month: Int, day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
  }

  /// The year that a day, counted since 1970-01-01, lies in.
  public static func year(ofDay day: Int) -> Int {
    // A mean year is close enough to be off by one at most.
    var year = 1970 + day * 400 / 146_097
    while days(year: year, month: 1, day: 1) > day { year -= 1 }
    while days(year: year + 1, month: 1, day: 1) <= day { year += 1 }
    return year
  }

  /// Whether a year has a 29 February.
  public static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  /// The weekday of a day counted since 1970-01-01, which was a Thursday; 0 is Monday.
  public static func weekday(ofDay day: Int) -> Int { ((day + 3) % 7 + 7) % 7 }
}
