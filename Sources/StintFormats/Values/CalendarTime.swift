public import StintUnits

/// Instants as ISO 8601 writes them: `2026-05-16T08:00:00.25+02:00`.
public enum CalendarTime {
  /// The instant and the offset of local time from UTC; a time without a zone is taken as UTC. Nil when the
  /// text is no such time or names a day that does not exist; years from 1678 to 2261.
  public static func parse(_ text: some StringProtocol) -> (instant: Instant, offset: TimeSpan)? {
    var digits = DigitReader(Array(text.utf8))
    guard let year = digits.number(4), digits.take("-"), let month = digits.number(2), digits.take("-"),
      let day = digits.number(2), digits.take("T") || digits.take("t") || digits.take(" "),
      let hour = digits.number(2), digits.take(":"), let minute = digits.number(2)
    else { return nil }
    var second = 0
    var fraction: Int64 = 0
    if digits.take(":") {
      guard let number = digits.number(2) else { return nil }
      second = number
      if digits.take(".") || digits.take(",") {
        guard let part = digits.nanoseconds() else { return nil }
        fraction = part
      }
    }
    guard let offset = zone(&digits), digits.isAtEnd,
      let moment = instant(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    else { return nil }
    let offsetSpan = TimeSpan.seconds(Int64(offset))
    return (moment - offsetSpan + TimeSpan(nanoseconds: fraction), offsetSpan)
  }

  /// The seconds that local time is ahead of UTC.
  private static func zone(_ digits: inout DigitReader) -> Int? {
    if digits.isAtEnd || digits.take("Z") || digits.take("z") { return 0 }
    let sign = digits.take("+") ? 1 : -1
    guard sign == 1 || digits.take("-"), let hours = digits.number(2), hours <= 23 else { return nil }
    _ = digits.take(":")
    guard !digits.isAtEnd else { return sign * hours * 3600 }
    guard let minutes = digits.number(2), minutes <= 59 else { return nil }
    return sign * (hours * 3600 + minutes * 60)
  }

  /// The instant of a time of day in UTC; second 60 counts as the first of the next minute.
  static func instant(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) -> Instant? {
    guard (1678...2261).contains(year), (1...12).contains(month), day >= 1,
      day <= length(ofMonth: month, in: year), (0...23).contains(hour), (0...59).contains(minute),
      (0...60).contains(second)
    else { return nil }
    let seconds =
      CivilCalendar.days(year: year, month: month, day: day) * 86_400 + hour * 3600 + minute * 60 + second
    return Instant(nanoseconds: Int64(seconds) * 1_000_000_000)
  }

  /// An offset of local time as `parse` reads it: `+02:00`.
  static func text(_ offset: TimeSpan) -> String {
    let minutes = abs(offset.nanoseconds / 60_000_000_000)
    let parts = [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
    return (offset < .zero ? "-" : "+") + parts.joined(separator: ":")
  }

  private static func length(ofMonth month: Int, in year: Int) -> Int {
    switch month {
    case 2: CivilCalendar.isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
