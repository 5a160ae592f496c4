import StintUnits

/// The local date and time of an instant.
struct CalendarMoment {
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
  ]
  private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

  private let days: Int
  private let seconds: Int
  private let offset: TimeSpan

  init(_ instant: Instant, _ timeZone: TimeZoneRules) {
    offset = timeZone.offset(at: instant)
    let local = instant.nanoseconds + offset.nanoseconds
    let total = Int((local >= 0 ? local : local - 999_999_999) / 1_000_000_000)
    seconds = ((total % 86_400) + 86_400) % 86_400
    days = (total - seconds) / 86_400
  }

  var isMidnight: Bool { seconds == 0 }

  /// The hour and the minute: `14:05`.
  var minutes: String { String(clock.prefix(5)) }

  /// The time of day: `14:05:10`.
  var clock: String {
    [seconds / 3600, seconds / 60 % 60, seconds % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
      .joined(separator: ":")
  }

  /// The weekday and the date without its year: `Sat 16 May`.
  var day: String {
    let (_, month, day) = civil
    return "\(Self.weekdays[CivilCalendar.weekday(ofDay: days)]) \(day) \(Self.months[month - 1].prefix(3))"
  }

  /// The date: `16 May 2026`.
  var date: String {
    let (year, month, day) = civil
    return "\(day) \(Self.months[month - 1]) \(year)"
  }

  /// The offset from UTC: `UTC+2`, `UTC−3:30`, `UTC`.
  var zone: String {
    let minutes = offset.nanoseconds / 60_000_000_000
    if minutes == 0 { return "UTC" }
    let rest = minutes.magnitude % 60
    let tail = rest == 0 ? "" : ":\(rest < 10 ? "0" : "")\(rest)"
    return "UTC\(minutes < 0 ? "−" : "+")\(minutes.magnitude / 60)\(tail)"
  }

  private var civil: (year: Int, month: Int, day: Int) {
    let year = CivilCalendar.year(ofDay: days)
    let month = (1...12).last { CivilCalendar.days(year: year, month: $0, day: 1) <= days } ?? 1
    return (year, month, days - CivilCalendar.days(year: year, month: month, day: 1) + 1)
  }
}
