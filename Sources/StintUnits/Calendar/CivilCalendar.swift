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
