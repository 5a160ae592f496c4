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
