/// Reads and writes instants in ISO 8601 format: `2026-05-16T08:00:00.25+02:00`.
public enum CalendarTime {
  /// Parses an instant and the offset of local time from UTC; a time without a zone is UTC.
  ///
  /// - Returns: nil in three cases: the text does not have this format, the day does not exist, or `Instant`
  ///   cannot represent the time, which is before 1677-09-21 or after 2262-04-11.
  public static func parse(_ text: some StringProtocol) -> (instant: Instant, offset: TimeSpan)? {
    var digits = DigitReader(Array(text.utf8))
    guard let year = digits.number(4), digits.consume("-"), let month = digits.number(2), digits.consume("-"),
      let day = digits.number(2), digits.consume("T") || digits.consume("t") || digits.consume(" "),
      let hour = digits.number(2), digits.consume(":"), let minute = digits.number(2)
    else { return nil }
    var second = 0
    var fraction: Int64 = 0
    if digits.consume(":") {
      guard let number = digits.number(2) else { return nil }
      second = number
      if digits.consume(".") || digits.consume(",") {
        guard let part = digits.nanoseconds() else { return nil }
        fraction = part
      }
    }
    guard let offset = utcOffset(&digits), digits.isAtEnd,
      let seconds = seconds(year: year, month: month, day: day, hour: hour, minute: minute, second: second),
      let nanoseconds = Int64(exactly: Int128(seconds - offset) * 1_000_000_000 + Int128(fraction))
    else { return nil }
    return (Instant(nanoseconds: nanoseconds), .seconds(Int64(offset)))
  }

  /// Reads the offset of local time from UTC, in seconds.
  private static func utcOffset(_ digits: inout DigitReader) -> Int? {
    if digits.isAtEnd || digits.consume("Z") || digits.consume("z") { return 0 }
    let sign = digits.consume("+") ? 1 : -1
    guard sign == 1 || digits.consume("-"), let hours = digits.number(2), hours <= 23 else { return nil }
    _ = digits.consume(":")
    guard !digits.isAtEnd else { return sign * hours * 3600 }
    guard let minutes = digits.number(2), minutes <= 59 else { return nil }
    return sign * (hours * 3600 + minutes * 60)
  }

  /// Returns the seconds since 1970 of a date and time of day in UTC. Second 60 is the first second of the
  /// next minute. Nil when there is no such date or time.
  private static func seconds(
    year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int
  ) -> Int? {
    guard (1...12).contains(month), day >= 1, day <= length(ofMonth: month, in: year),
      (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
    else { return nil }
    return CivilCalendar.days(year: year, month: month, day: day) * 86_400 + hour * 3600 + minute * 60
      + second
  }

  /// Formats an instant in UTC, with the fewest digits that read back exactly: `2026-05-16T06:00:00.25Z`.
  public static func text(_ instant: Instant) -> String {
    let (second, nanoseconds) = floored(instant.nanoseconds, by: 1_000_000_000)
    let (day, clock) = floored(second, by: 86_400)
    let year = CivilCalendar.year(ofDay: Int(day))
    let month = (1...12).last { CivilCalendar.days(year: year, month: $0, day: 1) <= day } ?? 1
    let date = [year, month, Int(day) - CivilCalendar.days(year: year, month: month, day: 1) + 1]
    let time = [Int(clock) / 3600, Int(clock) / 60 % 60, Int(clock) % 60]
    var text = date.map(twoDigits).joined(separator: "-") + "T" + time.map(twoDigits).joined(separator: ":")
    if nanoseconds > 0 {
      var fraction = String(nanoseconds + 1_000_000_000).dropFirst()
      while fraction.last == "0" { fraction.removeLast() }
      text += ".\(fraction)"
    }
    return text + "Z"
  }

  /// Divides and rounds down, so that the remainder is not negative.
  private static func floored(_ value: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// Formats an offset of local time in the format that `parse` reads: `+02:00`.
  package static func text(_ offset: TimeSpan) -> String {
    let minutes = abs(offset.nanoseconds / 60_000_000_000)
    let parts = [Int(minutes) / 60, Int(minutes) % 60].map(twoDigits)
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

/// Reads digits and single characters from the front of a string.
package struct DigitReader {
  private let bytes: [UInt8]
  private var index = 0

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package var isAtEnd: Bool { index == bytes.count }

  /// Consumes the next character if it equals `character`. Returns whether it was consumed.
  package mutating func consume(_ character: Unicode.Scalar) -> Bool {
    guard index < bytes.count, UInt32(bytes[index]) == character.value else { return false }
    index += 1
    return true
  }

  /// Reads a number of exactly `count` digits; nil when there are fewer.
  package mutating func number(_ count: Int) -> Int? {
    guard index + count <= bytes.count else { return nil }
    var value = 0
    for _ in 0..<count {
      guard let digit = digit() else { return nil }
      value = value * 10 + digit
    }
    return value
  }

  /// Reads the digits after a decimal point as nanoseconds; digits after the ninth digit are dropped. Nil
  /// without a digit.
  package mutating func nanoseconds() -> Int64? {
    var value: Int64 = 0
    var unit: Int64 = 100_000_000
    let start = index
    while let digit = digit() {
      value += Int64(digit) * unit
      unit /= 10
    }
    return index == start ? nil : value
  }

  private mutating func digit() -> Int? {
    guard index < bytes.count, (0x30...0x39).contains(bytes[index]) else { return nil }
    index += 1
    return Int(bytes[index - 1] - 0x30)
  }
}
