public import StintUnits

/// Reads and writes instants in ISO 8601 format: `2026-05-16T08:00:00.25+02:00`.
public enum CalendarTime {
  /// Parses an instant and the offset of local time from UTC; a time without a zone is UTC.
  ///
  /// - Returns: nil when the text is not such a time or the day does not exist. Years range from 1678 to
  ///   2261.
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
    guard let offset = zone(&digits), digits.isAtEnd,
      let moment = instant(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    else { return nil }
    let offsetSpan = TimeSpan.seconds(Int64(offset))
    return (moment - offsetSpan + TimeSpan(nanoseconds: fraction), offsetSpan)
  }

  /// Reads the offset of local time from UTC, in seconds.
  private static func zone(_ digits: inout DigitReader) -> Int? {
    if digits.isAtEnd || digits.consume("Z") || digits.consume("z") { return 0 }
    let sign = digits.consume("+") ? 1 : -1
    guard sign == 1 || digits.consume("-"), let hours = digits.number(2), hours <= 23 else { return nil }
    _ = digits.consume(":")
    guard !digits.isAtEnd else { return sign * hours * 3600 }
    guard let minutes = digits.number(2), minutes <= 59 else { return nil }
    return sign * (hours * 3600 + minutes * 60)
  }

  /// Returns the instant of a date and time of day in UTC; second 60 is the first second of the next minute.
  static func instant(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) -> Instant? {
    guard (1678...2261).contains(year), (1...12).contains(month), day >= 1,
      day <= length(ofMonth: month, in: year), (0...23).contains(hour), (0...59).contains(minute),
      (0...60).contains(second)
    else { return nil }
    let seconds =
      CivilCalendar.days(year: year, month: month, day: day) * 86_400 + hour * 3600 + minute * 60 + second
    return Instant(nanoseconds: Int64(seconds) * 1_000_000_000)
  }

  /// Formats an offset of local time as `parse` reads it: `+02:00`.
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

/// Decimal numbers as tables, GPX files and NMEA sentences contain them: `-12.5`, `3e-2`; not `nan`, `0x10`
/// or digit groups.
enum DecimalText {
  /// Parses the number in the bytes; nil when they are not a number or it is not finite.
  static func number(_ bytes: ArraySlice<UInt8>) -> Double? {
    bytes.withUnsafeBufferPointer { number($0) }
  }

  /// The powers of ten that a double represents exactly.
  private static let powers: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19,
    1e20, 1e21, 1e22,
  ]

  private static func number(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    var index = 0
    let isNegative = bytes.first == UInt8(ascii: "-")
    if isNegative || bytes.first == UInt8(ascii: "+") { index = 1 }
    var digits: UInt64 = 0
    var count = 0
    var decimals = 0
    var isPastPoint = false
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "."), !isPastPoint {
        isPastPoint = true
      } else if byte >= 0x30, byte <= 0x39 {
        count += 1
        if isPastPoint { decimals += 1 }
        if count <= 18 { digits = digits * 10 + UInt64(byte - 0x30) }
      } else {
        break
      }
      index += 1
    }
    guard count > 0 else { return nil }
    // Both numbers are exact doubles, so one division gives the correctly rounded result.
    if index == bytes.count, count <= 18, decimals <= 22, digits < 1 << 53 {
      let value = Double(digits) / powers[decimals]
      return isNegative ? -value : value
    }
    guard index == bytes.count || isExponent(bytes, from: index) else { return nil }
    guard let value = Double(String(decoding: bytes, as: UTF8.self)), value.isFinite else { return nil }
    return value
  }

  private static func isExponent(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Bool {
    guard bytes[start] | 0x20 == UInt8(ascii: "e") else { return false }
    var index = start + 1
    if index < bytes.count, bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") {
      index += 1
    }
    return index < bytes.count && bytes[index...].allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
  }
}

/// Reads digits and signs from the front of a string.
struct DigitReader {
  private let bytes: [UInt8]
  private var index = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { index == bytes.count }

  /// Consumes the next character if it equals `sign`. Returns whether it was consumed.
  mutating func consume(_ sign: Unicode.Scalar) -> Bool {
    guard index < bytes.count, UInt32(bytes[index]) == sign.value else { return false }
    index += 1
    return true
  }

  /// Reads a number of exactly `count` digits; nil when there are fewer.
  mutating func number(_ count: Int) -> Int? {
    guard index + count <= bytes.count else { return nil }
    var value = 0
    for _ in 0..<count {
      guard let digit = digit() else { return nil }
      value = value * 10 + digit
    }
    return value
  }

  /// Reads the digits after a decimal point as nanoseconds; further digits are dropped. Nil without a digit.
  mutating func nanoseconds() -> Int64? {
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
