/// Summer time that begins and ends by the same rule every year.
struct YearlySummerTime: Hashable, Sendable {
  /// The day and the time of a clock change, in the local time that applies before the change.
  ///
  /// The time is in seconds since midnight. It may be negative or longer than a day.
  struct Change: Hashable, Sendable {
    var day: YearlyDay
    var time: Int64
  }

  var offset: TimeSpan
  var begin: Change
  var end: Change

  /// Returns the changes of some years in order of time. Two changes at one instant keep their order within
  /// the year; `TimeZoneRules` uses the second.
  func changes(in years: ClosedRange<Int>, standard: TimeSpan) -> [TimeZoneRules.Transition] {
    var changes: [TimeZoneRules.Transition] = []
    for year in years {
      for change in [
        Self.transition(begin, in: year, before: standard, after: offset),
        Self.transition(end, in: year, before: offset, after: standard),
      ] {
        // Inserting after equal instants keeps the order stable.
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

/// A day of the year, in the three forms of POSIX time zone rules.
enum YearlyDay: Hashable, Sendable {
  /// Day 1 to 365; 29 February never counts, so 60 is always 1 March.
  case counted(Int)
  /// Day 0 to 365; 29 February counts in leap years.
  case index(Int)
  /// A weekday of a month: week 1 is its first occurrence, 5 its last. Weekday 0 is Sunday, as in POSIX.
  case weekday(month: Int, week: Int, weekday: Int)

  /// Returns the day in a year, as days since 1970-01-01.
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
      // `CivilCalendar` numbers weekdays from Monday, POSIX from Sunday.
      let wanted = (weekday + 6) % 7
      let ahead = (wanted - CivilCalendar.weekday(ofDay: first) + 7) % 7
      let day = first + ahead + 7 * (week - 1)
      return day < next ? day : day - 7
    }
  }

  /// The day in POSIX format.
  var text: String {
    switch self {
    case .counted(let number): "J\(number)"
    case .index(let number): "\(number)"
    case .weekday(let month, let week, let weekday): "M\(month).\(week).\(weekday)"
    }
  }
}

/// Dates of the proleptic Gregorian calendar, as days since 1970-01-01.
public enum CivilCalendar {
  /// Returns the days since 1970-01-01 of a date. Months count from 1; the year is at least 1.
  ///
  /// The computation starts years in March, so that the leap day comes last.
  public static func days(year: Int, month: Int, day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
  }

  /// Returns the year of a day, given as days since 1970-01-01.
  public static func year(ofDay day: Int) -> Int {
    // The mean year length gives the right year or an adjacent year.
    var year = 1970 + day * 400 / 146_097
    while days(year: year, month: 1, day: 1) > day { year -= 1 }
    while days(year: year + 1, month: 1, day: 1) <= day { year += 1 }
    return year
  }

  /// Returns whether a year has a 29 February.
  public static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  /// Returns the weekday of a day, given as days since 1970-01-01; 0 is Monday.
  public static func weekday(ofDay day: Int) -> Int { ((day + 3) % 7 + 7) % 7 }
}
