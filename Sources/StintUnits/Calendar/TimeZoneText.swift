/// Parses time zone rules in the format of the POSIX variable TZ: `CET-1CEST,M3.5.0,M10.5.0/3`.
///
/// Offsets in this format are positive west of Greenwich. Zone names are parsed and discarded. The hours
/// of a change range from -167 to 167, as in newer versions of this format.
struct TimeZoneText {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = text[...].utf8 }

  mutating func rules() throws(Problem) -> TimeZoneRules {
    try name()
    let standard = try offset()
    guard !rest.isEmpty else { return .fixed(standard) }
    try name()
    let hasSummerOffset = !rest.isEmpty && rest.first != UInt8(ascii: ",")
    let summer = hasSummerOffset ? try offset() : standard + .hours(1)
    guard abs(summer.nanoseconds) < TimeSpan.hours(24).nanoseconds else {
      throw .outOfRange("\(summer)")
    }
    guard !rest.isEmpty else { throw .noRule }
    try consume(",")
    let begin = try change()
    try consume(",")
    let end = try change()
    guard rest.isEmpty else { throw .expected("the end", at: String(Substring(rest))) }
    return TimeZoneRules(base: standard, summer: YearlySummerTime(offset: summer, begin: begin, end: end))
  }

  private mutating func name() throws(Problem) {
    let before = rest
    if takes("<") {
      let name = rest.prefix { Self.isLetter($0) || Self.isDigit($0) || $0 == 0x2b || $0 == 0x2d }
      rest = rest.dropFirst(name.count)
      guard name.count >= 3, takes(">") else { throw expected("a zone name such as “<+03>”", before) }
    } else {
      let name = rest.prefix(while: Self.isLetter)
      guard name.count >= 3 else { throw expected("a zone name such as “CET”", before) }
      rest = rest.dropFirst(name.count)
    }
  }

  /// Parses an offset of less than a day. Returns the offset with the opposite sign, positive east of
  /// Greenwich.
  private mutating func offset() throws(Problem) -> TimeSpan {
    let before = rest
    let seconds = try time()
    guard abs(seconds) < 86_400 else { throw outOfRange(before) }
    return .seconds(-seconds)
  }

  private mutating func change() throws(Problem) -> YearlySummerTime.Change {
    let day = try day()
    return YearlySummerTime.Change(day: day, time: takes("/") ? try time() : 2 * 3600)
  }

  private mutating func day() throws(Problem) -> YearlyDay {
    if takes("J") { return .counted(Int(try number(1...365))) }
    guard takes("M") else { return .index(Int(try number(0...365))) }
    let month = try number(1...12)
    try consume(".")
    let week = try number(1...5)
    try consume(".")
    return .weekday(month: Int(month), week: Int(week), weekday: Int(try number(0...6)))
  }

  /// Parses `[+-]hh[:mm[:ss]]` and returns seconds.
  private mutating func time() throws(Problem) -> Int64 {
    let isNegative = takes("-")
    if !isNegative { _ = takes("+") }
    var seconds = try number(0...167) * 3600
    if takes(":") {
      seconds += try number(0...59) * 60
      if takes(":") { seconds += try number(0...59) }
    }
    return isNegative ? -seconds : seconds
  }

  private mutating func number(_ bounds: ClosedRange<Int64>) throws(Problem) -> Int64 {
    let before = rest
    let digits = rest.prefix(while: Self.isDigit)
    guard !digits.isEmpty else { throw expected("a number", before) }
    rest = rest.dropFirst(digits.count)
    guard let number = Int64(String(Substring(digits))), bounds.contains(number) else {
      throw .outOfRange(String(Substring(digits)))
    }
    return number
  }

  private mutating func takes(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest = rest.dropFirst()
    return true
  }

  private mutating func consume(_ character: Unicode.Scalar) throws(Problem) {
    let before = rest
    guard takes(character) else { throw expected("“\(character)”", before) }
  }

  private func expected(_ what: String, _ place: Substring.UTF8View) -> Problem {
    .expected(what, at: String(Substring(place)))
  }

  private func outOfRange(_ place: Substring.UTF8View) -> Problem {
    .outOfRange(String(Substring(place)))
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (65...90).contains(byte & 0xdf) && byte < 128 }
  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
}

extension TimeZoneRules: CustomStringConvertible {
  /// Parses POSIX rules such as `CET-1CEST,M3.5.0,M10.5.0/3` or `<+0530>-5:30`.
  ///
  /// Summer time needs an explicit rule. Place names such as `Europe/Berlin` are not supported.
  ///
  /// - Throws: a `Problem` without a location when the string is not a valid rule.
  public init(_ text: String) throws(Problem) {
    var reader = TimeZoneText(text)
    self = try reader.rules()
  }

  /// The rules in POSIX format, with offsets as names: `<+01>-1<+02>-2,M3.5.0/2,M10.5.0/3`.
  ///
  /// Parsing the string yields equal rules, except for `ahead`, which is then zero. Nil when transitions are
  /// listed, which POSIX cannot express, or when an offset is not a whole number of seconds.
  public var rule: String? {
    let offsets = [baseOffset] + (summer.map { [$0.offset] } ?? [])
    guard transitions.isEmpty, offsets.allSatisfy({ $0.nanoseconds % 1_000_000_000 == 0 }) else { return nil }
    var text = Self.zone(baseOffset)
    if let summer {
      text += Self.zone(summer.offset)
      for change in [summer.begin, summer.end] {
        text += "," + change.day.text + "/" + Self.time(change.time)
      }
    }
    return text
  }

  /// The POSIX rule. Without a POSIX rule, the first offset and the number of listed transitions.
  public var description: String {
    rule ?? "\(baseOffset) ahead of UTC at first; number of transitions: \(transitions.count)"
  }

  private static func zone(_ offset: TimeSpan) -> String {
    let seconds = offset.nanoseconds / 1_000_000_000
    let size = abs(seconds)
    let name = [size / 3600, size / 60 % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
    let digits = name[1] == "00" ? name[0] : name.joined()
    return "<" + (seconds < 0 ? "-" : "+") + digits + ">" + time(-seconds)
  }

  private static func time(_ seconds: Int64) -> String {
    let size = abs(seconds)
    var text = (seconds < 0 ? "-" : "") + "\(size / 3600)"
    guard size % 3600 != 0 else { return text }
    text += ":\(size / 60 % 60)"
    return size % 60 == 0 ? text : text + ":\(size % 60)"
  }
}

extension Problem {
  /// Returns a problem: the string contains `rest` at a place where `what` is expected. At the end of the
  /// string, `rest` is empty.
  fileprivate static func expected(_ what: String, at rest: String) -> Problem {
    Problem(.syntax, cause: "expected \(what), found \(rest.isEmpty ? "the end" : "“\(rest)”")")
  }

  fileprivate static func outOfRange(_ number: String) -> Problem {
    Problem(.value, cause: "“\(number)” is out of range")
  }

  fileprivate static let noRule = Problem(
    .missing,
    cause: "summer time has no rule; write when it begins and ends, as in “,M3.5.0,M10.5.0/3”")
}
